// A recording is a session's share of the tape: its samples, up to its limit, and an
// account of its ticks.
import { Idle, Program, type SampleKind } from "../core/kinds";
import { later } from "../core/timers";
import type { Capture, Stack } from "../stacks/stack";
import type { Entry, Session } from "./sessions";
import type { Overhead } from "./meter";


/** The account of the ticks: raised = taken + idle + program. */
export interface Account {
  raised: number;
  /** Deadlines without a tick, since the coordinator could not run. */
  missed: number;
  /** Taken by checks; in a trace, only ticks of functions that it shows. */
  taken: number;
  /** Raised while nothing ran. */
  idle: number;
  /** Raised while something ran, but no check did; in a trace also ticks that checks took and no function has. */
  program: number;
  /** Raised, but without a sample, since the limit was reached. */
  lost: number;
}

/** Receives a sample; ticks is its weight, skid the milliseconds since the first of them was due. */
export type Visit = (time: number, capture: Capture<Stack> | null, kind: SampleKind, ticks: number, skid: number) => void;

/** Times are in milliseconds, by performance.now(). */
export class Recording {
  /** Where ticks come from: shared memory, or checks that poll. */
  clock: "shared" | "poll" = "poll";
  /** How late the coordinator was, for recent ticks. */
  late: number[] = [];
  private sums: Account = { raised: 0, missed: 0, taken: 0, idle: 0, program: 0, lost: 0 };
  /** The losses and their reasons, for people to read. */
  readonly notes = new Set<string>();

  // The columns of the samples. Entries before head are dropped.
  private times: number[] = [];
  private captures: (Capture<Stack> | null)[] = [];
  private kinds: SampleKind[] = [];
  private weights: number[] = [];
  private skids: number[] = [];
  private head = 0;
  private kept = 0; // ticks
  private owed = 0; // ticks without a sample so far, in parts of the interval
  private owedMissed = 0;
  private isFull = false;

  constructor(
    private session: Session,
    private tape: { end(session: Session): void; read(): void },
  ) {}

  get interval() {
    return this.session.settings.interval;
  }
  /** Whether frames say which lines run, or only which functions. */
  get lines() {
    return !!this.session.settings.lines;
  }
  get limit() {
    return this.session.settings.limit;
  }
  get seed() {
    return this.session.settings.seed!;
  }
  get started() {
    return this.session.started;
  }
  /** NaN while it runs. */
  get ended() {
    return this.session.shut ?? this.session.ended;
  }
  /** The cost so far, if it has a budget and that is known. */
  get overhead(): Overhead | undefined {
    return this.session.meter?.overhead;
  }

  get account(): Account {
    this.tape.read();
    return { ...this.sums };
  }

  /** How many samples there are. */
  get length() {
    this.tape.read();
    return this.times.length - this.head;
  }

  /** Ends the recording; its samples stay. */
  stop() {
    this.tape.end(this.session);
    this.tape.read();
  }

  /** Adds an entry of the tape: if the tape's interval is shorter than ours, one tick for several. */
  take(entry: Entry) {
    this.session.settings.see?.(entry);
    const part = entry.interval / this.interval;
    this.owed += entry.ticks * part + 1e-9;
    const ticks = Math.floor(this.owed);
    this.owed -= ticks;
    this.owedMissed += entry.missed * part + 1e-9;
    const missed = Math.floor(this.owedMissed);
    this.owedMissed -= missed;
    this.sums.missed += missed;
    this.sums.raised += ticks;
    if (entry.kind === Idle) this.sums.idle += ticks;
    else if (entry.kind === Program) this.sums.program += ticks;
    else this.sums.taken += ticks;
    if (ticks > 0) this.add(entry.time, entry.capture as Capture<Stack> | null, entry.kind, ticks, Math.max(0, entry.time - entry.due));
  }

  private add(time: number, capture: Capture<Stack> | null, kind: SampleKind, ticks: number, skid: number) {
    const { ring } = this.session.settings;
    const weight = Math.min(ticks, ring ? this.limit : this.limit - this.kept);
    if (!ring && weight < ticks) {
      this.sums.lost += ticks - weight;
      this.fill();
    }
    if (weight < 1) return;
    const at = this.times.length;
    this.times[at] = time;
    this.captures[at] = capture;
    this.kinds[at] = kind;
    this.weights[at] = weight;
    this.skids[at] = skid;
    this.kept += weight;
    while (this.kept > this.limit) this.kept -= this.weights[this.head++];
    if (this.head > 1000 && this.head > this.times.length / 2) this.forget();
  }

  private fill() {
    const { onfull } = this.session.settings;
    if (!this.isFull && onfull && !(this.session.ended >= 0)) later(onfull); // not for entries that are read after the end
    this.isFull = true;
  }

  /** Visits the samples in order of time. */
  each(visit: Visit) {
    this.tape.read();
    for (let i = this.head; i < this.times.length; i++) {
      visit(this.times[i], this.captures[i], this.kinds[i], this.weights[i], this.skids[i]);
    }
  }

  /** A copy of the samples from one time to another. Of a sample that began before or ends after, some ticks remain. */
  part(from: number, to: number): Recording {
    const settings = { ...this.session.settings, limit: Infinity, see: undefined };
    const session: Session = { settings, started: from, ended: to };
    const part = new Recording(session, { end() {}, read() {} });
    this.each((time, capture, kind, weight, skid) => {
      if (time < from || time - skid > to) return;
      // The ticks are spread from when the first was due to the time.
      const gap = skid / Math.max(1, weight - 1);
      const before = Math.max(0, Math.ceil((from - time + skid) / gap || 0));
      const after = Math.max(0, Math.ceil((time - to) / gap || 0));
      const ticks = weight > 1 ? weight - before - after : +(time <= to);
      if (ticks > 0) part.take({ time: time - after * gap, due: time - skid + before * gap, ticks, missed: 0, kind, capture, sessions: [], interval: this.interval });
    });
    part.clock = this.clock;
    part.late = this.late;
    for (const note of this.notes) part.notes.add(note);
    return part;
  }

  /** Visits the samples in order of time and forgets them. Returns the account of the same moment. */
  drain(visit: Visit): Account {
    this.each(visit);
    this.head = this.times.length;
    this.kept = 0;
    this.forget();
    return { ...this.sums };
  }

  /** Drops the samples from before a time. */
  dropBefore(time: number) {
    this.tape.read();
    while (this.head < this.times.length && this.times[this.head] < time) this.kept -= this.weights[this.head++];
    this.forget();
  }

  /** Forgets all samples, and goes on. */
  clear() {
    this.dropBefore(Infinity);
  }

  private forget() {
    for (const column of [this.times, this.captures, this.kinds, this.weights, this.skids]) column.splice(0, this.head);
    this.head = 0;
  }
}
