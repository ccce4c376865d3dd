// The clock without shared memory: the flag stays up, and checks count down to
// the next reading of the clock. Only the thread itself can tell it that a
// deadline has passed.
//
// Half of the checks that are expected before the deadline go by without, so
// that a handful of readings lead up to it and near it every check reads: the
// tick falls on the first check behind the deadline, as if another thread had
// raised it (coordinator/pace.go does the same).
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
 * The most checks between two readings: a reading costs some 40 ns, so this
 * many make it a third of a nanosecond each; and so many checks at most see
 * nothing of a long call into native code that came between.
 */
const maxStride = 128;
/** A thread that was not heard of for so long, in milliseconds, was frozen, or its machine asleep. */
const frozen = 5000;

export function makePoll(tapeOf: () => Tape): Source {
  let clock = new Clock(Infinity, 0);
  let fresh = true; // the thread was idle, or may have been, since the last reading
  let sent = false; // the message
  let last = 0; // reading
  let stride = 1;
  let each = 0; // milliseconds that a check takes, with the work up to the next: a guess
  let port: MessagePort | undefined;

  const send = () => {
    if (!sent) port!.postMessage(0);
    sent = true;
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
      checks.skip(0);
      clock = new Clock(interval || Infinity, tapeOf().sessions[0]?.settings.seed ?? 0);
      if (!interval) return;
      clock.begin(now());
      const { port1, port2 } = new RealChannel();
      port1.onmessage = () => {
        settle(true);
        sent = false;
        fresh = true;
        checks.skip(1);
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
        last = NaN; // what ran since then was no row of checks
      }
      send();
      const due = clock.deadline;
      return [clock.pass(time), due];
    },

    pace(time) {
      const took = (time - last) / stride;
      // Believe in rarer checks at once, in denser ones with care.
      if (took >= 0) each = took > each ? took : (took + each) / 2;
      last = time;
      stride = Math.max(1, Math.min(maxStride, Math.floor((clock.deadline - time) / (2 * each + 1e-6))));
      checks.skip(stride);
    },

    settle,
  };
}
