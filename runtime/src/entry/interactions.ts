// Gives the slow moments of a page, with the stacks of their time:
// `observe({ onslow: (slice) => … })`. It records with the page's runtime, and never throws
// into the page. See docs/interactions.md.
import { Observation, type Counts } from "../interactions/observing";
import { settle, type ObserveOptions } from "../interactions/settings";
import type { Slice } from "../interactions/slice";

export { blame } from "../interactions/blame";
export { explain } from "../interactions/explain";
export type { Counts } from "../interactions/observing";
export type { ObserveOptions } from "../interactions/settings";
export type { Slice, Slow } from "../interactions/slice";
export type { ProfilerTrace, TraceMark } from "../recording/parts";

export interface Observing {
  readonly counts: Counts;
  /** The slow parts of the rolling profile now, ended or not. */
  slices(): Promise<Slice[]>;
  /** Ends it, and resolves when the last slices are given. */
  stop(): Promise<void>;
}

/** Starts. */
export function observe(options: ObserveOptions = {}): Observing {
  try {
    const observation = new Observation(settle(options));
    return {
      get counts() {
        return observation.counts;
      },
      slices: () => observation.slices().catch(() => []),
      stop: () => observation.stop().catch(() => {}),
    };
  } catch {
    return { counts: { interactions: 0, slow: {}, longTasks: 0, dropped: 0 }, slices: async () => [], stop: async () => {} };
  }
}
