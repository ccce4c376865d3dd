// The valve ends a profile that costs more than it may. While a session with a budget records,
// the valve knows what recording takes:
//
//	captures   from the clock that a check read to the entry on the tape: timed, each
//	readings   of the tape: timed, each, as part of the capture where it is read at once
//	checks     that read the clock while it is polled: one of some is timed, for all
//	           that only count down: their number times the cost of one, where it is known
//
// and the ticks say how long the program was busy meanwhile. The valve does not know about checks
// that find the flag down, which cost the same without a profile, or of code that engines
// compile again since a check has run. Where the clock is coarser than a capture, captures
// count for little; readings add up to what they take in any clock.
//
// A profile ends when it has exceeded its budget for so long that chance is ruled out. It keeps
// its samples, and a note says what it took.
import { checks, type Recorder } from "../core/flag";
import { Idle, type Site } from "../core/kinds";
import { now } from "../core/real";
import { later } from "../core/timers";
import { Meter, type Overhead } from "./meter";
import type { Entry, Session } from "./sessions";
import type { Tape } from "./tape";


/** One of so many checks that read the clock is timed. */
const stride = 32;

/** How a note gives percents: "6.1 %". */
const percents = (share: number) => `${+share.toFixed(1)} %`;

export class Valve {
  private spent = 0; // since the last ticks
  private squares = 0;
  private timing = false; // inside of what is timed
  private captures = 0;
  private wrapper: Recorder | undefined;

  /** `ended` hears why a session has. */
  constructor(
    private readonly tape: Tape,
    private readonly ended: (session: Session, why: string) => void,
  ) {}

  /** Gives sessions with a budget their account, and times captures and readings from now on. Called whenever a session has begun. */
  attend() {
    if (!this.tape.sessions.some((session) => session.meter)) this.spent = this.squares = 0; // on no session's account
    for (const session of this.tape.sessions) {
      const budget = session.settings.maxOverhead ?? this.tape.options.maxOverhead;
      if (budget! > 0 && budget! < Infinity) session.meter ||= new Meter(budget!);
    }
    if (!this.tape.sessions.some((session) => session.meter)) return;
    if (!this.wrapper) this.timeCaptures();
    this.countReadings();
  }

  /** Times one of our tasks, unless it is part of one that is timed. */
  time(task: () => void) {
    if (this.timing) return task();
    this.timing = true;
    const began = now();
    try {
      task();
    } finally {
      this.timing = false;
      this.spend(now() - began);
    }
  }

  /** Ticks were read from the tape: ends sessions that have spent too much. */
  see({ ticks, interval, kind, sessions }: Entry) {
    const { spent, squares } = this;
    this.spent = this.squares = 0;
    const busy = kind === Idle ? 0 : ticks;
    for (const session of sessions) {
      const { meter } = session;
      if (!meter || session.shut! >= 0 || session.ended >= 0) continue;
      meter.add(spent, squares, busy * interval, busy);
      if (meter.judge()) this.shut(session, meter.overhead!);
    }
  }

  private spend(milliseconds: number, times = 1) {
    this.spent += milliseconds * times;
    this.squares += (milliseconds * times) ** 2;
  }

  private timeCaptures() {
    const { tape } = this;
    const add = tape.add.bind(tape);
    tape.add = (time, due, ticks, kind, capture, missed) => {
      const { timing } = this;
      this.timing = true;
      try {
        add(time, due, ticks, kind, capture, missed);
      } finally {
        this.timing = timing;
      }
      if (!capture) return;
      this.captures++;
      if (!timing) this.spend(now() - time);
    };
  }

  /** Checks that poll the clock read it thousands of times for each tick. */
  private countReadings() {
    const { recorder } = checks;
    const { pace } = this.tape;
    checks.early = pace && this.counted((site, deeper: number) => pace.early(site, deeper + 2));
    if (recorder !== this.wrapper) this.wrapper = checks.recorder = this.counted((site, raised, deeper) => recorder!(site, raised, deeper + 2));
  }

  /** Does what a check does that reads the clock, and counts it. */
  private counted<Rest extends unknown[], Result>(look: (site: Site, ...rest: Rest) => Result) {
    let next = stride;
    return (site: Site, ...rest: Rest) => {
      const { captures } = this;
      const timed = --next <= 0;
      const empty = timed ? now() : 0;
      const before = timed ? now() : 0;
      const result = look(site, ...rest);
      if (timed) {
        next = stride;
        if (captures === this.captures) this.spend(now() - before - (before - empty), stride); // else it took ticks, and is counted
      }
      const left = checks.left[site];
      if (left > 1) this.spent += left * (this.tape.cost || 0);
      return result;
    };
  }

  /** The session stays as its owner has it, and its owner may still stop it; only it gets no more ticks. */
  private shut(session: Session, { percent, budget }: Overhead) {
    const { tape } = this;
    const { onfull, onover } = session.settings;
    session.shut = now();
    tape.sessions = tape.sessions.filter((other) => other !== session);
    tape.update();
    const seconds = ((session.shut - session.started) / 1000).toFixed(1);
    const why = `recording ended after ${seconds} s: it took ${percents(percent)} of the busy time, over its budget of ${percents(budget)}`;
    this.ended(session, why);
    later(() => (onover ? onover(why) : onfull?.()));
  }
}
