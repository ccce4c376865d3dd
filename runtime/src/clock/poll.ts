// The clock without shared memory: the flag stays up, and checks count down to
// the next reading of the clock. Only the thread itself can tell it that a
// deadline has passed.
//
// Far from the deadline only one check in so many reads, near it every one: the
// tick falls on the first check behind the deadline, as if another thread had
// raised it. What reading and skipping take would be charged where checks are
// thick; so the deadline moves on by that much, where it is known, and ticks
// measure the time that is the program's own.
//
// Whether anything ran at a deadline must be known too: a tick of the wait
// before a task must not fall on the task's first check. A message to ourselves
// tells. It is sent at a reading and arrives when nothing else runs, so between
// two readings without it the thread was never idle. Behind it the next check
// reads the clock, and what was due before was due to nobody.
import { Clock } from "./deadlines";
import { checks } from "../core/flag";
import { now, RealChannel } from "../core/real";
import { Idle, Program, type Source } from "../recording/samples";
import type { Tape } from "../recording/tape";

/** In milliseconds, but for those of checks. */
const enum Limit {
  /**
   * While the deadline is far, a reading each two microseconds. So long at most a
   * check sees nothing of a long call into native code that came before it.
   */
  period = 0.002,
  /** How near the deadline is near: most calls into native code take less, and Chromium's clock stands as long. */
  guard = 0.1,
  /** A reading takes as long as so many checks that go by. */
  reading = 12,
  /** And the most checks between two readings, should they become rare all of a sudden. */
  stride = 128,
  /** A thread that was not heard of for so long was frozen, or its machine asleep. */
  frozen = 5000,
}

export function makePoll(tapeOf: () => Tape): Source {
  let clock = new Clock(Infinity, 0);
  let fresh = true; // the thread was idle, or may have been, since the last reading
  let sent = false; // the message
  // By kind of check, for some come much thicker than others:
  const last = new Float64Array(6); // reading
  const stride = new Int32Array(6); // checks from that to the next
  const each = new Float64Array(6); // milliseconds from check to check: a guess
  let port: MessagePort | undefined;

  const send = () => {
    if (!sent) port!.postMessage(0);
    sent = true;
  };

  /** Lets the next check read, whatever its kind. */
  const hurry = () => {
    checks.left.fill(0);
    last.fill(NaN); // what ran since then was no row of checks
  };

  const settle = (busy = !fresh) => {
    const time = now();
    const due = clock.deadline;
    const ticks = clock.pass(time);
    if (!ticks) return;
    const missed = time - due > Limit.frozen ? ticks : 0;
    tapeOf().add(time, due, ticks - missed, busy ? Program : Idle, null, missed);
  };

  return {
    run(interval) {
      port?.close();
      checks.flag[0] = interval ? 1 : 0;
      hurry();
      clock = new Clock(interval || Infinity, tapeOf().sessions[0]?.settings.seed ?? 0);
      if (!interval) return;
      clock.begin(now());
      const { port1, port2 } = new RealChannel();
      port1.onmessage = () => {
        settle(true);
        sent = false;
        fresh = true;
        hurry();
      };
      port = port2;
      (port1 as { unref?(): void }).unref?.(); // Node waits for no message of ours
      fresh = sent = false; // it is a running script that starts the clock
      send();
    },

    take(time) {
      checks.flag[0] = 1; // see every check
      if (fresh) {
        settle();
        fresh = false;
      }
      send();
      return [clock.deadline, clock.pass(time)];
    },

    pace(time, kind, cost = 0) {
      const took = (time - last[kind]) / stride[kind];
      // Believe in rarer checks at once, in denser ones with care.
      if (took >= 0) {
        each[kind] = Math.max(took, (took + each[kind]) / 2);
        // Never by more than half of what passed: the cost is a guess, too.
        clock.deadline += Math.min(cost * (Limit.reading + stride[kind]), (time - last[kind]) / 2);
      }
      last[kind] = time;
      const fit = Math.min(Limit.period, clock.deadline - Limit.guard - time) / each[kind];
      // And skip more than before only step by step: the guess is old, or none.
      checks.left[kind] = stride[kind] = Math.max(1, Math.min(Limit.stride, 2 * stride[kind], fit));
    },

    settle,
  };
}
