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
import { now, real } from "./real";
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

export class Poll implements Source {
  private clock = new Clock(Infinity, 0);
  private fresh = true; // the thread was idle, or may have been, since the last reading
  private sent = false; // the message
  private last = 0; // reading
  private stride = 1;
  private each = 0; // milliseconds that a check takes, with the work up to the next: a guess
  private port: MessagePort | undefined;
  tape!: Tape;

  run(interval: number) {
    const { sessions } = this.tape;
    this.port?.close();
    this.port = undefined;
    checks.flag[0] = interval ? 1 : 0;
    checks.skip(0);
    this.clock = new Clock(interval || Infinity, sessions[0]?.settings.seed ?? 0);
    if (!interval) return;
    this.fresh = this.sent = false; // it is a running script that starts the clock
    this.clock.begin(now());
    const { port1, port2 } = new real.MessageChannel();
    port1.onmessage = () => {
      this.settle(true);
      this.sent = false;
      this.fresh = true;
      checks.skip(1);
    };
    this.port = port2;
    (port1 as { unref?(): void }).unref?.(); // Node waits for no message of ours
    this.send();
  }

  take(time: number): [ticks: number, due: number] {
    checks.flag[0] = 1; // see every check
    if (this.fresh) {
      this.settle();
      this.fresh = false;
      this.last = NaN; // what ran since then was no row of checks
    }
    this.send();
    const due = this.clock.deadline;
    return [this.clock.pass(time), due];
  }

  private send() {
    if (!this.sent) this.port!.postMessage(0);
    this.sent = true;
  }

  pace(time: number) {
    const each = (time - this.last) / this.stride;
    // Believe in rarer checks at once, in denser ones with care.
    if (each >= 0) this.each = each > this.each ? each : (each + this.each) / 2;
    this.last = time;
    this.stride = Math.max(1, Math.min(maxStride, Math.floor((this.clock.deadline - time) / (2 * this.each + 1e-6))));
    checks.skip(this.stride);
  }

  settle(busy = !this.fresh) {
    const time = now();
    const due = this.clock.deadline;
    const ticks = this.clock.pass(time);
    if (!ticks) return;
    if (time - due > frozen) this.tape.add(time, due, 0, Program, null, ticks);
    else this.tape.add(time, due, ticks, busy ? Program : Idle, null);
  }
}
