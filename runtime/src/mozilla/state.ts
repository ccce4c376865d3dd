// The private state of a profiler: whether it runs, and what it gathered.
import type { Engine, Report, Session } from "./engine";
import { Marks } from "./marks";
import { count, type Tick, type Windows } from "./ticks";

/** The default interval, in microseconds. */
const RATE = 1000;
/** How many ticks are kept if start() sets no limit: nothing may grow without bound. */
const UNLIMITED = 1 << 20;
/** How many periods of the profiler's own work, and of running, are remembered. */
const STRETCHES = 1 << 10;

/** The options of the profiler that start() reads. */
interface Wanted {
  maxAge?: number;
  time?: boolean;
  events?: boolean;
  gc?: boolean;
}

/** The private state of a profiler. */
export class State {
  active = false;
  forced = false; // stopped by another profiler
  sessions: Session[] = [];
  session: Session | null = null; // the one that runs
  interval = 0; // ms
  least = Infinity; // interval since the last reset
  max = 0;
  maxAge = 0; // ms
  events = true;
  first = NaN; // the first start since the last reset
  since = 0; // the last start
  ran = 0; // ms, before that
  runs: Windows = [];
  own: Windows = [];
  readonly marks = new Marks();

  constructor(private readonly engine: Engine) {}

  start(options: Wanted, rate: number, max: number) {
    this.end();
    this.interval = (rate > 0 && rate < Infinity ? rate : RATE) / 1000;
    this.least = Math.min(this.least, this.interval);
    this.max = max >= 1 && max < UNLIMITED ? Math.floor(max) : UNLIMITED;
    this.maxAge = Number(options.maxAge) > 0 ? Number(options.maxAge) * 1000 : 0;
    this.events = !!options.events;
    this.active = true;
    this.forced = false;
    this.since = this.engine.now();
    if (!(this.first <= this.since)) this.first = this.since;
    this.runs.push([this.since, Infinity]);
    if (this.runs.length > STRETCHES) this.runs.shift();
    if (!options.time) return;
    this.session = this.engine.start({ interval: this.interval, limit: this.limit, gc: !!options.gc });
    this.sessions.push(this.session);
    if (this.sessions.length > STRETCHES) this.sessions.shift();
  }

  /** Stops; the data that was gathered stays. */
  end() {
    if (!this.active) return;
    this.active = false;
    const now = this.engine.now();
    this.ran += now - this.since;
    this.runs[this.runs.length - 1][1] = now;
    this.session?.stop();
    this.session = null;
  }

  reset() {
    this.sessions = this.session ? [this.session] : [];
    this.session?.clear();
    this.marks.clear();
    this.own = [];
    this.least = this.active ? this.interval : Infinity;
    this.ran = 0;
    this.since = this.engine.now();
    this.first = this.active ? this.since : NaN;
    this.runs = this.active ? [[this.since, Infinity]] : [];
  }

  get micros(): number {
    const running = this.active ? this.engine.now() - this.since : 0;
    return Math.round((this.ran + running) * 1000);
  }

  /** Shapes what was gathered. Ticks that are due meanwhile are not the program's. */
  make<T>(shape: (report: Report, ticks: Tick[]) => T, tokens: unknown[]): T {
    const from = this.engine.now();
    try {
      const report = this.engine.report(this.sessions, tokens);
      const bounds = { from: this.oldest(from), runs: this.runs, interval: this.least, max: this.max, own: this.own };
      return shape(report, count(report, bounds));
    } finally {
      if (this.own.length >= STRETCHES) this.own.shift();
      this.own.push([from, this.engine.now()]);
    }
  }

  /** Drops what is too old, and returns the earliest time of what is left. */
  oldest(now: number): number {
    const oldest = this.maxAge ? Math.max(this.first, now - this.maxAge) : this.first;
    if (this.maxAge) this.marks.forget(now - this.maxAge);
    return oldest;
  }

  /**
   * How many ticks the engine needs to keep: most may be idle, which do not count. The
   * chance that more come within maxAge is 1 in 10^9.
   */
  private get limit(): number {
    const enough = Math.min(UNLIMITED, this.max * 20 + 1000);
    if (!this.maxAge) return enough;
    const expected = this.maxAge / this.interval;
    return Math.min(enough, Math.ceil(expected + 6 * Math.sqrt(expected) + 10));
  }
}
