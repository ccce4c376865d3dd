// Mozilla's Profiler, over the engine it runs in. Only one profiler is active in a realm:
// starting another stops it.
import type { Engine, Here } from "./engine";
import { makeResults, makeSamples, type Results, type Sample } from "./results";
import { Statistics } from "./statistics";
import { State } from "./state";

/** The choice of what to profile; read by start(). All but maxAge are on by default. */
export interface Options {
  /** Older data is dropped, in seconds; 0 keeps everything. */
  maxAge?: number;
  /** Sample the time. */
  time?: boolean;
  /** Record events. */
  events?: boolean;
  /** Count the collector's time separately. */
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
  /** Loads the function tables of the scripts, from which results() takes names. */
  load(): Promise<void>;
  /** Records an event with the active profiler, if any. */
  event(name: string, value?: number): void;
}

/** The states of a realm's profilers. */
class States {
  /** The state of the profiler that runs. */
  active: State | null = null;
  private readonly known = new WeakMap<object, State>();

  constructor(private readonly engine: Engine) {}

  add(profiler: object) {
    this.known.set(profiler, new State(this.engine));
  }

  of(profiler: unknown): State {
    const state = this.known.get(profiler as object);
    if (!state) throw new TypeError("not a Profiler");
    return state;
  }

  /** The state of a profiler that must be active. */
  activeOf(profiler: unknown): State {
    const state = this.of(profiler);
    if (!state.active) throw new Error(state.forced ? "this Profiler was stopped by another one" : "this Profiler is not active");
    return state;
  }

  /** Makes a state the active one, and ends the one that was. */
  activate(state: State) {
    const { active } = this;
    if (active && active !== state) {
      active.end();
      active.forced = true;
    }
    this.active = state;
  }

  /** Records an event. The caller is spared any trouble with it. */
  tell({ marks }: State, here: Here | null, name: string, value?: number) {
    try {
      const text = String(name);
      marks.event(here, this.engine.now(), text, value);
      this.engine.attach?.("mark", text, { value });
    } catch {
      // The name or the value cannot be converted.
    }
  }
}

// Methods must call settle and here directly, never through another function: an
// engine counts the calls up to their caller.

export function makeProfiler(engine: Engine): ProfilerClass {
  const states = new States(engine);

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
      states.add(this);
    }

    static load(): Promise<void> {
      return engine.load();
    }

    static event(name: string, value?: number) {
      if (states.active?.events) states.tell(states.active, engine.here(), name, value);
    }

    start(...[rate, max]: [number?, number?]) {
      const state = states.of(this);
      engine.settle();
      states.activate(state);
      state.start(this, Number(rate), Number(max));
    }

    stop() {
      const state = states.activeOf(this);
      engine.settle();
      state.end();
      states.active = null;
    }

    isProfiling(): boolean {
      return states.of(this).active;
    }

    frame(): Record<string, unknown> {
      const { marks } = states.activeOf(this);
      const data = marks.frame(engine.here(), engine.now());
      engine.attach?.("frame", "frame()", data);
      return data as Record<string, unknown>;
    }

    event(name: string, value?: number) {
      const state = states.of(this);
      if (state.active && state.events) states.tell(state, engine.here(), name, value);
    }

    results(): Results {
      const state = states.of(this);
      if (state.active) engine.settle();
      const { marks, micros } = state;
      state.oldest(engine.now());
      return state.make((report, ticks) => makeResults(report, ticks, marks.attached, micros), marks.tokens);
    }

    samples(): Sample[] {
      const state = states.of(this);
      if (state.active) engine.settle();
      return state.make((report, ticks) => makeSamples(report, ticks, state.first), []);
    }

    reset() {
      const state = states.of(this);
      if (state.active) engine.settle();
      state.reset();
    }
  }
  Object.defineProperty(Profiler, "name", { value: "Profiler", configurable: true }); // minifiers rename classes
  Object.defineProperty(Profiler.prototype, Symbol.toStringTag, { value: "Profiler", configurable: true });
  return Profiler;
}
