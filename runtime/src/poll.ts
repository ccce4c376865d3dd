// The clock without shared memory: the flag stays up, and checks count down to
// the next reading of the clock. Only the thread itself can tell it that a
// deadline has passed.
//
// Of the checks that are expected before the deadline at most half go by
// without, so that near it every check reads: the tick falls on the first check
// behind the deadline, as if another thread had raised it.
//
// Whether anything ran at a deadline must be known too: a tick of the wait
// before a task must not fall on the task's first check. A message to ourselves
// tells. It is sent at a reading and arrives when nothing else runs, so between
// two readings without it the thread was never idle. Behind it the next check
// reads the clock, and what was due before was due to nobody.
import { Clock } from "./clock";
import { checks } from "./core";
import { now, RealChannel } from "./real";
import { Idle, Program, type Source } from "./samples";
import type { Tape } from "./tape";

/**
 * While the deadline is far, a reading each two microseconds: it costs some 40
 * ns. So long at most a check sees nothing of a long call into native code that
 * came before it.
 */
const period = 0.002;
/** And the most checks between two readings, should they become rare all of a sudden. */
const maxStride = 128;
/** A thread that was not heard of for so long, in milliseconds, was frozen, or its machine asleep. */
const frozen = 5000;

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
    const slept = time - due > frozen;
    tapeOf().add(time, due, slept ? 0 : ticks, busy ? Program : Idle, null, slept ? ticks : 0);
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
      const due = clock.deadline;
      return [clock.pass(time), due];
    },

    pace(time, kind) {
      const took = (time - last[kind]) / stride[kind];
      // Believe in rarer checks at once, in denser ones with care.
      if (took >= 0) each[kind] = took > each[kind] ? took : (took + each[kind]) / 2;
      last[kind] = time;
      const fit = Math.min(period, (clock.deadline - time) / 2) / each[kind];
      // And skip more than before only step by step: the guess is old, or none.
      checks.left[kind] = stride[kind] = Math.min(maxStride, 2 * stride[kind], fit) | 0 || 1;
    },

    settle,
  };
}
