// Deadlines, as coordinator/clock.go has them: each an exponentially distributed
// wait behind the last. A fixed gap would beat with whatever is periodic in the
// page, an even jitter with timers that fire when the clock strikes.

/** The part of an interval that the clock rests after a deadline. */
const restPart = 1 / 16;

/** Deadlines in milliseconds, on the time line of whoever asks. */
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

  /** Moves on to the next deadline behind now. Returns how many have passed. */
  pass(now: number): number {
    let passed = 0;
    const behind = (now - this.deadline) / this.interval;
    if (behind > 1000) {
      // After a long sleep of the machine the drawing would take long, too.
      passed = Math.floor(behind);
      this.deadline += passed * this.interval;
    }
    if (behind < -100) this.begin(now); // the clock went back
    while (this.deadline <= now) {
      passed++;
      this.deadline += this.gap();
    }
    return passed;
  }

  private gap() {
    return this.interval * (restPart - (1 - restPart) * Math.log(1 - this.random()));
  }

  /** A number from 0 up to 1: an additive sequence, of which the low 32 bits are mixed. */
  private random() {
    let z = (this.state += 0x9e3779b9) | 0;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  }
}
