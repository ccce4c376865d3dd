// The clock without shared memory. No other thread can raise the flag, so it stays up,
// and checks read the clock themselves: some of them, as pace.ts says once trace.js is
// loaded. The tick falls on the first of these after the deadline.
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
import { Idle, Program } from "../core/kinds";
import { now, RealChannel } from "../core/real";
import { Clock } from "./deadlines";
import type { Source, TickLog } from "./source";

const enum Limit {
  /** Until there is a pace, one of so many checks at a site reads the clock, … */
  stride = 16,
  /** … and each if the deadline is no farther than this part of an interval. */
  guardShare = 1 / 8,
  /** A thread that was silent for longer was frozen, or its machine asleep, in ms. */
  frozenMs = 5000,
}

export function makePoll(tapeOf: () => TickLog): Source {
  let clock = new Clock(Infinity, 0);
  let rested = true; // the thread was idle, or may have been, since the last reading
  let posted = false; // the message is on its way
  let port: MessagePort | undefined;

  const post = () => {
    if (!posted) port!.postMessage(0);
    posted = true;
  };

  /** Has the next check read the clock, at whatever site: time has passed without checks. */
  const reset = () => {
    checks.left.fill(0);
    tapeOf().pace?.reset();
  };

  const settle = () => {
    const time = now();
    const due = clock.deadline;
    const ticks = clock.pass(time);
    if (!ticks) return;
    const missed = time - due > Limit.frozenMs ? ticks : 0;
    tapeOf().add(time, due, ticks - missed, rested ? Idle : Program, null, missed);
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
      const hear = () => {
        settle();
        posted = false;
        rested = true;
        reset();
      };
      // For a listener of the web's kind Node would load all of fetch: 50 ms, and what that leaves in globalThis.
      if (port1.unref) port1.on!("message", hear).unref!(); // our messages must not keep Node alive
      else port1.onmessage = hear;
      port = port2;
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

    pace(time, site) {
      const { pace } = tapeOf();
      const isFar = clock.deadline - time > clock.interval * Limit.guardShare;
      checks.left[site] = pace ? pace.next(site, time, clock) : isFar ? Limit.stride : 1;
    },

    settle,
  };
}
