// What Mozilla's Profiler needs of the engine it runs in: pages and Node have
// one implementation (realm.ts), goja another (in Go).

/** A place in a deployed file, counting from 1. What is not known is absent. */
export interface Location {
  file: string;
  line?: number;
  column?: number;
}

/** A frame, as results show it: the function with where it is defined, and where execution stood in it. */
export interface Call {
  function: Location & { name?: string };
  site: Location;
}

/** How to sample. */
export interface Settings {
  interval: number; // ms between ticks
  limit: number; // ticks that are kept; beyond it the oldest go
  gc: boolean; // tell the collector's ticks apart
}

/** Samples from a start to a stop. */
export interface Session {
  /** Of the samples, in time: like Report's times. */
  readonly started: number;
  stop(): void;
  /** Forgets its samples and goes on. */
  clear(): void;
}

/** A stack as it was captured, not yet looked at. Equal keys are equal stacks. */
export interface Here {
  readonly key: unknown;
  readonly token: unknown;
}

/** What an engine knows of some sessions: columns that refer to each other by index. */
export interface Report {
  calls: Call[];
  /** Of each stack: its caller's stack, -1 for none, which stands before it, and its innermost frame. */
  parents: readonly number[];
  frames: readonly number[];
  /** The samples, in order of time. */
  samples: {
    time: number[]; // ms, by the engine's now, at which the ticks were taken
    skid: number[]; // ms from the first of them until then
    weight: number[]; // ticks
    kind: number[]; // SampleKind; any that a check took is as good as another
    stack: number[]; // as attributed, -1 for none
  };
  /** Times from and to which the collector ran, if ticks do not tell. */
  pauses: [number, number][];
  /** The stacks of the tokens that were asked for, as captured, -1 for none. */
  marks: number[];
}

export interface Engine {
  /** Milliseconds. */
  now(): number;
  start(settings: Settings): Session;
  /** Gives ticks that are pending to the function that called the profiler. */
  settle(): void;
  /** The stack up to the function that called the profiler; null where there is none. */
  here(): Here | null;
  report(sessions: Session[], tokens: unknown[]): Report;
  /** Loads what names and attribution need. */
  load(): Promise<void>;
}
