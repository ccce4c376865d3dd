// The interfaces between the tape and a clock.
import type { SampleKind, Site } from "../core/kinds";

/** Where ticks come from. Times and intervals are in milliseconds. */
export interface Source {
  /** For a check that finds the flag up: since when ticks are due, and how many it takes. */
  take(time: number, raised: number): [due: number, ticks: number];
  /** Says which check at a site looks next, after one at a time. */
  pace(time: number, site: Site): void;
  /** Raises ticks that far apart from now on; 0 is a pause. */
  run(interval: number): void;
  /** Accounts for ticks that found no check. Busy: the caller was running. */
  settle(busy?: boolean): void;
}

/** When the next tick is due, and how far ticks are apart, in milliseconds. */
export interface Deadline {
  deadline: number;
  readonly interval: number;
}

/** Says which checks read a clock that is polled, and may move its deadline on. Times are in milliseconds. */
export interface Pace {
  /** After a check at a site has read the clock: which of those that follow at the site is the next to read. */
  next(site: Site, time: number, clock: Deadline): number;
  /**
   * Whether a check at a site has no tick to take. Such a check is done, in half the time
   * that the recorder would take. False at first, and after a reset. `deeper` counts
   * additional calls, as in Recorder.
   */
  early(site: Site, deeper: number): boolean;
  /** Time has passed without checks. */
  reset(): void;
}

/** Where ticks go that found no check: the tape, as clocks see it. */
export interface TickLog {
  readonly interval: number;
  readonly pace?: Pace;
  /** The clock uses the first session's seed. */
  readonly sessions: readonly { readonly settings: { readonly seed?: number } }[];
  add(time: number, due: number, ticks: number, kind: SampleKind, capture: null, missed: number): void;
}
