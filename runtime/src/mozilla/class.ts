// Mozilla's Profiler, over whichever engine it runs in. One of its profilers
// profiles the realm at a time; starting another stops it.
import type { Engine, Here, Report, Session } from "./engine";
import { Marks } from "./marks";
import { makeResults, makeSamples, type Results, type Sample } from "./results";
import { Statistics } from "./statistics";
import { count, type Tick, type Windows } from "./ticks";

/** Microseconds between samples, where start() does not say. */
const RATE = 1000;
/** Ticks that are kept where start() sets no limit: nothing may grow without end. */
const UNLIMITED = 1 << 20;
/** Stretches of the profiler's own work, and of running, that are remembered. */
const STRETCHES = 1 << 10;

/** What to profile; start() looks at it. All but maxAge are on from the beginning. */
export interface Options {
  /** Data that is older is dropped, in seconds; 0 keeps all. */
  maxAge?: number;
  /** Sample the time. */
  time?: boolean;
  /** Take what event() tells. */
  events?: boolean;
  /** Tell the collector's time apart. */
  gc?: boolean;
}

export interface Profiler extends Required<Options> {
  start(rate?: number, max?: number): void;
  stop(): void;
  isProfiling(): boolean;
  frame(): Record<string, unknown>;
  event(name: string, value?: number): void;
  results(): Results;
  samples(): Sample[];
  reset(): void;
}

export interface ProfilerClass {
  new (options?: Options): Profiler;
  readonly prototype: Profiler;
  readonly Statistics: typeof Statistics;
  /** Loads the function tables of the scripts, which results() names functions by. */
  load(): Promise<void>;
  /** Tells an event to the profiler that is active, if one is. */
  event(name: string, value?: number): void;
}

/** What a profiler keeps to itself. */
class State {
  active = false;
  forced = false; // stopped by another profiler
  sessions: Session[] = [];
  session: Session | null = null; // the one that runs
  interval = 0; // ms
  least = Infinity; // interval since the last reset
  max = 0;
  maxAge = 0; // ms
  events = true;
  first = NaN; // when it was started first since the last reset
  since = 0; // when it was last started
  ran = 0; // ms, before that
  runs: Windows = [];
  own: Windows = [];
  readonly marks = new Marks();

  constructor(private readonly engine: Engine) {}

  start(options: Options, rate: number, max: number) {
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

  /** Stops what runs; what it gathered stays. */
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

  /** Makes something of what was gathered. What falls into it is not the program's. */
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

  /** Drops what is too old, and says since when what is left may be. */
  oldest(now: number): number {
    const oldest = this.maxAge ? Math.max(this.first, now - this.maxAge) : this.first;
    if (this.maxAge) this.marks.forget(now - this.maxAge);
    return oldest;
  }

  /**
   * How many ticks the engine needs to keep. Most may be idle ones, which do not
   * count. No more than these come within maxAge, but with a chance of 1 in 10^9.
   */
  private get limit(): number {
    const enough = Math.min(UNLIMITED, this.max * 20 + 1000);
    if (!this.maxAge) return enough;
    const expected = this.maxAge / this.interval;
    return Math.min(enough, Math.ceil(expected + 6 * Math.sqrt(expected) + 10));
  }
}

// The methods below that call settle or here do it themselves, never through
// another function: an engine counts the calls up to their caller.

export function makeProfiler(engine: Engine): ProfilerClass {
  let active: State | null = null;
  const states = new WeakMap<object, State>();

  function of(profiler: unknown): State {
    const state = states.get(profiler as object);
    if (!state) throw new TypeError("not a Profiler");
    return state;
  }

  /** The state of a profiler that must be active. */
  function activeOf(profiler: unknown): State {
    const state = of(profiler);
    if (!state.active) throw new Error(state.forced ? "this Profiler was stopped by another one" : "this Profiler is not active");
    return state;
  }

  /** Whoever tells of an event does not want to hear of our troubles with it. */
  function tell({ marks }: State, here: Here | null, name: string, value?: number) {
    try {
      marks.event(here, engine.now(), String(name), value);
    } catch {
      // The name or the value is none.
    }
  }

  class Profiler {
    static readonly Statistics = Statistics;
    maxAge: number;
    time: boolean;
    events: boolean;
    gc: boolean;

    constructor(...[options]: [Options?]) {
      const { maxAge = 0, time = true, events = true, gc = true } = options || {};
      this.maxAge = maxAge;
      this.time = time;
      this.events = events;
      this.gc = gc;
      states.set(this, new State(engine));
    }

    static load(): Promise<void> {
      return engine.load();
    }

    static event(name: string, value?: number) {
      if (active?.events) tell(active, engine.here(), name, value);
    }

    start(...[rate, max]: [number?, number?]) {
      const state = of(this);
      engine.settle();
      if (active && active !== state) {
        active.end();
        active.forced = true;
      }
      active = state;
      state.start(this, Number(rate), Number(max));
    }

    stop() {
      const state = activeOf(this);
      engine.settle();
      state.end();
      active = null;
    }

    isProfiling(): boolean {
      return of(this).active;
    }

    frame(): Record<string, unknown> {
      const { marks } = activeOf(this);
      return marks.frame(engine.here(), engine.now()) as Record<string, unknown>;
    }

    event(name: string, value?: number) {
      const state = of(this);
      if (state.active && state.events) tell(state, engine.here(), name, value);
    }

    results(): Results {
      const state = of(this);
      if (state.active) engine.settle();
      const { marks, micros } = state;
      state.oldest(engine.now());
      return state.make((report, ticks) => makeResults(report, ticks, marks.attached, micros), marks.tokens);
    }

    samples(): Sample[] {
      const state = of(this);
      if (state.active) engine.settle();
      return state.make((report, ticks) => makeSamples(report, ticks, state.first), []);
    }

    reset() {
      const state = of(this);
      if (state.active) engine.settle();
      state.reset();
    }
  }
  Object.defineProperty(Profiler, "name", { value: "Profiler", configurable: true }); // whatever a minifier calls it
  Object.defineProperty(Profiler.prototype, Symbol.toStringTag, { value: "Profiler", configurable: true });
  return Profiler;
}
