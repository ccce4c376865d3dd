// The pace of checks that poll the clock (poll.ts). A reading takes as long as twenty
// checks; so most checks only count down to the next one:
//
//	checks   R . . . . . R . . . . . R . . . R . R R R R R R R T
//	         | stride: at most   |               | guard       deadline
//	         | 10 µs, 251 checks |
//
//	R reads the clock, . counts down, T reads it and takes the tick
//
// The tick falls on the first check after the deadline, as if another thread had raised
// it, if each check reads from before the gap in which the deadline is: most calls into
// native code are shorter than the guard. Where the clock advances in steps, a tick
// falls on the first check after one; so the guard is as long as a step, which in some
// browsers is 1 ms.
//
// Each site (core/kinds.ts) counts for itself, since some sites have a thousand times
// as many checks as others. While nothing takes long between checks, sites that are
// about equally busy share the readings: with three of them each has a stride of 30 µs, and
// still one reads every 10 µs. Where calls into native code take long, the first check
// after one should not be far from a reading, and each site counts as if it were alone.
//
// Reading and counting take time, which functions with many checks would be charged
// for. Where the cost of a check is known, each reading moves the deadline on by what
// the checks since the last one took: ticks then measure the program's own time. Where
// the clock is too coarse to tell, a tick that falls due while a check reads it waits
// (debts.ts).
import { checks } from "../core/flag";
import { siteCount, type Site } from "../core/kinds";
import { now } from "../core/real";
import type { Debts } from "./debts";
import { longestGap } from "./deadlines";
import type { Deadline, Pace } from "./source";

const enum Limit {
  /**
   * The longest stride of a site that is alone, in ms. For at most that long a check does
   * not notice a long call into native code before it.
   */
  strideMs = 0.01,
  /** Sites share their readings as long as the gap that a moment is in is shorter than this, in ms. */
  calmMs = 0.03,
  /** The longest stride, in checks, should checks become rare. A prime: no loop comes round with it. */
  strideChecks = 251,
  /** The shortest guard, in ms. */
  guardMs = 0.1,
  /** The longest, in parts of the interval. */
  guardShare = 1 / 4,
  /** The cost of a reading, in checks that only count. */
  readingChecks = 18,
  /** A gap that is this long, in ms, counts as much as all before it. */
  memoryMs = 2,
  /** So often a tick may wait, should no step fall on the program's own work. */
  waits = 8,
}

/** Our calls from a check to `early`: that and two in flag.ts. */
const hidden = 3;

/** Cost is what a check takes that only counts, in ms; 0 if the clock is too coarse to tell. */
export function makePace(cost: number, debts: Debts): Pace {
  let step = 0; // of the clock, in ms: the shortest time that it has shown; 0 if none
  let running: Deadline | undefined; // since something runs
  let waits = 0; // of the tick that is due next
  let readings = 0; // at all sites
  let last = 0; // ms, when any of them read; 0 if that is meaningless
  let gap = 0; // ms, a guess: the time between the readings before and after a moment chosen at random
  // By site:
  const stride = new Int32Array(siteCount); // checks from the last reading to the next; 0 if that reading tells nothing
  const read = new Float64Array(siteCount); // ms, when it was
  const ordinal = new Float64Array(siteCount); // which of all readings it was
  const counted = new Float64Array(siteCount); // checks since the clock has moved
  const each = new Float64Array(siteCount); // ms from one check to the next: a guess

  /** How long before a deadline each check reads the clock, in ms. */
  const guardOf = ({ interval }: Deadline) => Math.max(Limit.guardMs, Math.min(step, interval * Limit.guardShare));

  /** A tick that is not the program's waits for another step. */
  const wait = (clock: Deadline) => {
    waits++;
    clock.deadline = now() + step;
  };

  const next = (site: Site, time: number, clock: Deadline) => {
    running = clock;
    const passed = stride[site];
    const took = Math.max(0, time - read[site]); // clocks are put back
    const since = last && Math.max(0, time - last);
    gap += ((since - gap) * since) / (since + Limit.memoryMs);
    if (passed) {
      counted[site] += passed;
      // The cost is a guess, too: never charge more than half of what passed, nor the same time at two
      // sites, which together could put the deadline off for ever.
      clock.deadline += Math.min(cost * (Limit.readingChecks + passed), since / 2);
      if (took) {
        step = Math.min(step || took, took);
        // Believe in rarer checks at once, in denser ones with care.
        const mean = took / counted[site];
        each[site] = Math.max(mean, (mean + each[site]) / 2);
        counted[site] = 0;
      }
    }
    read[site] = last = time;
    const sharing = Math.min(siteCount, ++readings - ordinal[site]); // sites that read since this one did, and this one
    ordinal[site] = readings;
    const calm = cost && gap < Limit.calmMs; // a clock that is too coarse for costs is too coarse for gaps
    const longest = Limit.strideMs * (calm ? sharing : 1);
    const fit = Math.min(longest, clock.deadline - guardOf(clock) - time) / each[site];
    // A stride is at most twice the one before it, since the guess may be old or missing.
    stride[site] = Math.max(1, Math.min(Limit.strideChecks, 2 * passed, fit));
    return stride[site];
  };

  return {
    next,

    early(site, deeper) {
      if (!running) return false;
      const time = now();
      const ahead = running.deadline - time;
      if (ahead > longestGap * running.interval) return false; // clocks are put back
      const mayWait = !cost && waits < Limit.waits;
      if (ahead > 0) {
        checks.left[site] = next(site, time, running);
        if (mayWait && ahead <= guardOf(running) && now() >= running.deadline) {
          debts.incur(hidden + deeper);
          wait(running);
        }
        return true;
      }
      if (mayWait && ahead > -step && debts.pay(hidden + deeper)) {
        wait(running);
        return true;
      }
      waits = 0;
      return false;
    },

    reset() {
      running = undefined;
      last = 0;
      stride.fill(0);
      counted.fill(0);
    },
  };
}
