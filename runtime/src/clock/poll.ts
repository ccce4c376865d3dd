// The clock without shared memory. No other thread can raise the flag, so it stays
// up, and checks read the clock themselves. A reading takes as long as a dozen
// checks; so most checks only count down to the next one:
//
//	checks   R . . . . . R . . . . . R . . . R . R R R R R R R T
//	         | stride: at most   |               | guard:      |
//	         | 10 µs, 128 checks |               | 0.1 ms      deadline
//
//	R reads the clock, . counts down, T reads it and takes the tick
//
// The tick falls on the first check after the deadline, as if another thread had
// raised it. Each site (core/kinds.ts) counts for itself, since some sites have a
// thousand times as many checks as others.
//
// Reading and counting take time, which functions with many checks would be
// charged for. Where the cost of a check is known, each reading moves the deadline
// on by what the checks since the last one took: ticks then measure the program's
// own time.
//
// A tick of the wait before a task must not fall on the task's first check. So a
// reading posts a message to the thread itself, which arrives when nothing else runs:
//
//	task A   R . . R . . R                            R . . .   task B
//	         post          message                    |
//	                       ticks due so far were A's: ticks due since the
//	                       something ran, no check    message: nothing ran
//
// As long as the message is on its way, the thread has not been idle.
import { checks } from "../core/flag";
import { Idle, Program, siteCount } from "../core/kinds";
import { now, RealChannel } from "../core/real";
import { Clock } from "./deadlines";
import type { Source, TickLog } from "./source";

const enum Limit {
  /**
   * The longest stride, in ms. For at most that long a check does not notice a
   * long call into native code before it.
   */
  strideMs = 0.01,
  /**
   * This close to the deadline every check reads, in ms: most calls into native
   * code are shorter, and Chromium's clock advances in such steps.
   */
  guardMs = 0.1,
  /** The longest stride, in checks, should checks become rare all of a sudden. */
  strideChecks = 128,
  /** What a reading takes, in checks that only count. */
  readingChecks = 12,
  /** A thread that was silent for longer was frozen, or its machine asleep, in ms. */
  frozenMs = 5000,
}

export function makePoll(tapeOf: () => TickLog): Source {
  let clock = new Clock(Infinity, 0);
  let rested = true; // the thread was idle, or may have been, since the last reading
  let posted = false; // the message is on its way
  let port: MessagePort | undefined;
  // By site:
  const read = new Float64Array(siteCount); // ms, when the clock was last read; NaN when that tells nothing
  const stride = new Int32Array(siteCount); // checks from that reading to the next
  const each = new Float64Array(siteCount); // ms from one check to the next: a guess

  const post = () => {
    if (!posted) port!.postMessage(0);
    posted = true;
  };

  /** Has the next check read the clock, at whatever site: time has passed without checks. */
  const reset = () => {
    checks.left.fill(0);
    read.fill(NaN);
  };

  const settle = (busy = !rested) => {
    const time = now();
    const due = clock.deadline;
    const ticks = clock.pass(time);
    if (!ticks) return;
    const missed = time - due > Limit.frozenMs ? ticks : 0;
    tapeOf().add(time, due, ticks - missed, busy ? Program : Idle, null, missed);
  };

  return {
    run(interval) {
      port?.close();
      checks.flag[0] = interval ? 1 : 0;
      reset();
      clock = new Clock(interval || Infinity, tapeOf().sessions[0]?.settings.seed ?? 0);
      if (!interval) return;
      clock.begin(now());
      const { port1, port2 } = new RealChannel();
      port1.onmessage = () => {
        settle(true);
        posted = false;
        rested = true;
        reset();
      };
      port = port2;
      (port1 as { unref?(): void }).unref?.(); // our messages must not keep Node alive
      rested = posted = false; // a running script starts the clock
      post();
    },

    take(time) {
      checks.flag[0] = 1; // see every check
      if (rested) {
        settle();
        rested = false;
      }
      post();
      return [clock.deadline, clock.pass(time)];
    },

    pace(time, site, cost = 0) {
      const passed = time - read[site];
      if (passed >= 0) {
        // Believe in rarer checks at once, in denser ones with care.
        const took = passed / stride[site];
        each[site] = Math.max(took, (took + each[site]) / 2);
        // The cost is a guess, too: never charge more than half of what passed.
        clock.deadline += Math.min(cost * (Limit.readingChecks + stride[site]), passed / 2);
      }
      read[site] = time;
      const fit = Math.min(Limit.strideMs, clock.deadline - Limit.guardMs - time) / each[site];
      // Lengthen a stride step by step: the guess is old, or there is none yet.
      checks.left[site] = stride[site] = Math.max(1, Math.min(Limit.strideChecks, 2 * stride[site], fit));
    },

    settle,
  };
}
