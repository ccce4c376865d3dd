// The settings of a recording, and the entries and session that the tape holds for it.
import type { SampleKind } from "../core/kinds";
import type { Capture } from "../stacks/stack";
import type { Meter } from "./meter";

/**
 * When function tables are asked for: as soon as samples show which scripts run, when a
 * trace is made, or never, which leaves names to the readers of traces.
 */
export type TablesMode = "early" | "late" | "none";

/** The options that a page chooses for all its profiles; anything else counts as absent. */
export interface PageOptions {
  /** Sample intervals of Profilers are multiples of this, in milliseconds. Chromium's is 10. */
  base?: number;
  clock?: Settings["clock"];
  /** By default early. */
  tables?: TablesMode;
  /** A profile whose measured cost exceeds this, in percent of the busy time, ends itself; by default none does. */
  maxOverhead?: number;
}

/** The settings of a recording. */
export interface Settings {
  /** Milliseconds between ticks, above 0. */
  interval: number;
  /** How many ticks are kept: the weight of all samples. Infinity: all. */
  limit: number;
  /** Over the limit the oldest samples are dropped, rather than new ones. */
  ring?: boolean;
  /** Where ticks come from; auto (the default) takes shared memory where it is available. */
  clock?: "auto" | "shared" | "poll";
  /** Whether frames say which lines run; by default only which functions do, since V8 parses a function again to find its lines. */
  lines?: boolean;
  /** Late: no trace may ever be made. By default as the page has it. */
  tables?: "late";
  /** As the page may choose for all, and instead of it. */
  maxOverhead?: number;
  /** Called once, in a task of its own, when the recording has ended because it exceeded maxOverhead; without it, onfull is. */
  onover?: (why: string) => void;
  /** Of the clock's jitter, a whole number; without one, each recording has its own. */
  seed?: number;
  /** Called once, in a task of its own, when a sample did not fit. */
  onfull?: () => void;
  /** Sees each entry when it is read from the tape. Must not throw. */
  see?: (entry: Entry) => void;
}

/** A recording as the sampler knows it. Times are by performance.now(). */
export interface Session {
  readonly settings: Settings;
  readonly started: number;
  /** NaN while it runs. */
  ended: number;
  /** When the valve ended it, since it exceeded its budget; its owner has still to end it. */
  shut?: number;
  /** Its cost so far, if it has a budget. */
  meter?: Meter;
  /** The recording that the reader of the tape makes of it. */
  recording?: unknown;
}

/** Ticks, the sessions they are for, and the stack of the check that took them. */
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
