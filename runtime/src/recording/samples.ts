// What a recording is made of, and what it is asked for.
import type { Kind } from "../core/flag";

/**
 * Where a sample was taken: at entry 0, loop 1, exit 2; or why it has no stack:
 * idle 3 (nothing ran), program 4 (something ran, and no check came), gc 5.
 */
export type SampleKind = 0 | 1 | 2 | 3 | 4 | 5;
export const Idle = 3;
export const Program = 4;

/** One captured stack. Until it is formatted it holds the Error. */
export interface Capture<S = unknown> {
  /** Null once formatted, or when there was no room to keep it. */
  error: Error | null;
  /** How many frames on top are our own. */
  readonly hidden: number;
  stack: S | null;
}

/** What is asked of a recording. */
export interface Settings {
  /** Milliseconds between ticks, above 0. */
  interval: number;
  /** How many ticks are kept: the weight of all samples. Infinity: all. */
  limit: number;
  /** Over the limit the oldest samples go, where else new ones are dropped. */
  ring?: boolean;
  /** Where ticks come from; auto (the default) takes shared memory where there is some. */
  clock?: "auto" | "shared" | "poll";
  /** Of the clock's jitter, a whole number; none: a new one each time. */
  seed?: number;
  /** Called once, in a task of its own, when a sample did not fit. */
  onfull?: () => void;
}

/** A recording as the sampler knows it. Times are by performance.now(). */
export interface Session {
  readonly settings: Settings;
  readonly started: number;
  /** NaN while it runs. */
  ended: number;
  /** What the part that reads the tape makes of it. */
  recording?: unknown;
}

/** Ticks, who they are for, and the stack of the check that took them. */
export interface Entry {
  readonly time: number;
  /** When the first of them was due. */
  readonly due: number;
  /** How many; 0 where deadlines were missed, which raise none. */
  readonly ticks: number;
  readonly missed: number;
  readonly kind: SampleKind;
  readonly capture: Capture | null;
  readonly sessions: readonly Session[];
  readonly interval: number;
}

/** Where ticks come from. */
export interface Source {
  /** For a check that finds the flag up: since when ticks are due, and how many it takes. */
  take(time: number, raised: number): [due: number, ticks: number];
  /** Says which check of a kind looks next, behind one at a time. */
  pace(time: number, kind: Kind, cost?: number): void;
  /** Raises ticks so many milliseconds apart from now on; 0 is a pause. */
  run(interval: number): void;
  /** Accounts for ticks that found no check. Busy: whoever asks was running. */
  settle(busy?: boolean): void;
}
