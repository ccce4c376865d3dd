// The pace of checks that poll the clock (poll.ts). A reading takes as long as a hundred
// checks, between other work; so most checks only count down to the next one:
//
//	checks   R . . . . . R . . . . . R . . . R . R R R R R R R T
//	         | stride: at most   |               | guard       deadline
//	         | 40 µs, 509 checks |
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
// as many checks as others. Sites that are about equally busy share the readings: with
// three of them each has a stride of 120 µs, and still one reads every 40 µs. The first that
// reads within the guard has all others read, too.
//
// A call into native code that is longer than the guard can hide a deadline. The first check
// after it takes the tick only if it reads; else a later one does, perhaps in another
// function. So the more of the time passes in such gaps, the shorter strides are, and
// where three tenths of it do, each site counts as if it were alone.
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
  /** The longest time between two readings, in ms: less than a guard, or none would fall within it. */
  strideMs = 0.04,
  /** The longest stride of a site that is alone, in ms. */
  aloneMs = 0.01,
  /** So late, in ms, checks may read on average after gaps that hide deadlines: the stride times the share of such gaps. */
  lateMs = 0.002,
  /** If such gaps have more than this share of the time, each site is alone. */
  aloneShare = 0.3,
  /** The longest stride, in checks, should checks become rare. A prime: no loop comes round with it. */
  strideChecks = 509,
  /** The shortest guard, in ms. */
  guardMs = 0.1,
  /** The longest, in parts of the interval. */
  guardShare = 1 / 4,
  /** What a reading is charged, in costs of checks: what it takes in a loop. */
  readingChecks = 18,
  /** A gap that is this long, in ms, counts as much as all before it. */
  memoryMs = 200,
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
  let hiding = 0; // the share of the time, a guess, that passes in gaps that are long enough to hide a deadline
  let near = false; // the last reading was within a guard
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

  /** Has the next check at each site read the clock. */
  const wake = () => {
    const { left } = checks;
    for (let site = 0; site < siteCount; site++) {
      if (left[site] < 2) continue;
      stride[site] -= left[site] - 1;
      left[site] = 1;
    }
  };

  /** Learns from a reading how far checks at its site are apart, and what passes between readings. */
  const learn = (site: Site, time: number, clock: Deadline) => {
    const passed = stride[site];
    const took = Math.max(0, time - read[site]); // clocks are put back
    const since = last && Math.max(0, time - last);
    const hides = since > Math.max(guardOf(clock), 1.5 * step); // a shorter one may be one step
    hiding += (((hides ? 1 : 0) - hiding) * since) / (since + Limit.memoryMs);
    if (hides) wake(); // what was learned may be true no more
    if (!passed) return;
    counted[site] += passed;
    // The cost is a guess, too: never charge more than half of what passed, nor the same time at two
    // sites, which together could put the deadline off for ever.
    clock.deadline += Math.min(cost * (Limit.readingChecks + passed), since / 2);
    if (!took) return;
    step = Math.min(step || took, took);
    // Believe in rarer checks at once, in denser ones with care.
    const mean = took / counted[site];
    each[site] = Math.max(mean, (mean + each[site]) / 2);
    counted[site] = 0;
  };

  /** The longest time from a reading at a site to the next one there, in ms. */
  const longest = (site: Site) => {
    const sharing = Math.min(siteCount, readings - ordinal[site]); // sites that read since this one did, and this one
    if (hiding > Limit.aloneShare) return Limit.aloneMs;
    return sharing * Math.min(Limit.strideMs, Limit.lateMs / hiding);
  };

  const next = (site: Site, time: number, clock: Deadline) => {
    running = clock;
    const passed = stride[site];
    learn(site, time, clock);
    readings++;
    read[site] = last = time;
    const ahead = clock.deadline - guardOf(clock) - time;
    if (ahead <= 0 && !near) wake();
    near = ahead <= 0;
    // A stride is at most twice the one before it, since the guess may be old or missing.
    const fit = Math.min(longest(site), ahead) / each[site];
    ordinal[site] = readings;
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
