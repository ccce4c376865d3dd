// The interface that Mozilla's Profiler needs from the engine: pages and Node share one
// implementation (realm.ts), goja has another (in Go).

/** A location in a deployed file, counting from 1. Unknown numbers are absent. */
export interface Location {
  file: string;
  line?: number;
  column?: number;
}

/** A frame as results show it: the function with its definition, and the location of execution in it. */
export interface Call {
  function: Location & { name?: string };
  site: Location;
}

/** How to sample. */
export interface Settings {
  interval: number; // ms between ticks
  limit: number; // ticks that are kept; beyond it the oldest are dropped
  gc: boolean; // tell the collector's ticks apart
}

/** Samples from a start to a stop. */
export interface Session {
  /** When the samples start, like Report's times. */
  readonly started: number;
  stop(): void;
  /** Forgets its samples and goes on. */
  clear(): void;
}

/** A stack as captured, not yet read. Equal keys are equal stacks. */
export interface Here {
  readonly key: unknown;
  readonly token: unknown;
}

/** An engine's knowledge of some sessions: columns that refer to each other by index. */
export interface Report {
  calls: Call[];
  /** For each stack its caller's stack, which precedes it (-1: none), and its innermost frame. */
  parents: readonly number[];
  frames: readonly number[];
  /** The samples, in order of time. */
  samples: {
    time: number[]; // ms, by the engine's now, at which the ticks were taken
    skid: number[]; // ms from the first of them until then
    weight: number[]; // ticks
    kind: number[]; // SampleKind; entry, loop and exit are not told apart
    stack: number[]; // as attributed, -1 for none
  };
  /** When the collector ran (from, to), unless ticks tell. */
  pauses: [number, number][];
  /** The stacks of the requested tokens, as captured, -1 for none. */
  marks: number[];
}

export interface Engine {
  /** Milliseconds. */
  now(): number;
  start(settings: Settings): Session;
  /** Gives pending ticks to the function that called the profiler. */
  settle(): void;
  /** The stack up to the function that called the profiler; null without one. */
  here(): Here | null;
  report(sessions: Session[], tokens: unknown[]): Report;
  /** Passes an attached frame or mark to a viewer that shows the profile while it grows. Absent without a viewer. */
  attach?(what: "frame" | "mark", name: string, data: unknown): void;
  /** Loads the tables that names and attribution need. */
  load(): Promise<void>;
}
