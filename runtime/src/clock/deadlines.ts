// Deadlines, as in coordinator/clock.go: each follows the last after an exponentially
// distributed wait. A fixed gap would beat with anything periodic in the page, an
// even jitter with timers that fire on the millisecond.

/** No gap is longer, in intervals: the smallest number under the logarithm is 2 to the -32. */
export const longestGap = 21;

/** Deadlines in milliseconds, on the caller's time line. */
export class Clock {
  deadline = Infinity;

  /** Interval in milliseconds; the seed is a whole number. */
  constructor(
    readonly interval: number,
    private state: number,
  ) {}

  begin(now: number) {
    this.deadline = now + this.gap();
  }

  /** Moves on to the first deadline after now. Returns how many have passed. */
  pass(now: number): number {
    const behind = (now - this.deadline) / this.interval;
    if (behind > 1000 || behind < -100) {
      // The machine slept, and drawing all its deadlines would take long; or the clock went back.
      this.begin(now);
      return Math.max(behind, 0) | 0;
    }
    let passed = 0;
    while (this.deadline <= now) {
      passed++;
      this.deadline += this.gap();
    }
    return passed;
  }

  /** A deadline is followed by at least a sixteenth of an interval. */
  private gap() {
    return (this.interval * (1 - 15 * Math.log(1 - this.random()))) / 16;
  }

  /** A number in [0, 1): an additive sequence whose low 32 bits are mixed. */
  private random() {
    let z = (this.state += 0x9e3779b9); // operators of bits take the low 32
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  }
}
