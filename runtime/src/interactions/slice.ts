// A slice: the part of the rolling profile in which something slow happened.
import type { ProfilerTrace, TraceMark } from "../recording/parts";

/** The kinds of things that can be slow. `mark` is a measure of the page's own that took long. */
export type Slow = "interaction" | "long-frame" | "long-task" | "load" | "navigation" | "mark";

/** Times are in milliseconds since the time origin, by performance.now(). */
export interface Slice {
  what: Slow;
  /** The event's type, the measure's name, the path of a navigation, … */
  name: string;
  /** The element, as people find it: `button#save`; absent if there is none or it is not known. */
  target?: string;
  start: number;
  duration: number;
  /** Of an interaction: until its first handler, its handlers, and until the next picture; absent if not known. */
  inputDelay?: number;
  processing?: number;
  presentation?: number;
  /** Facts that are not known of it and why, for people to read. */
  unknown: string[];
  /** The samples from start to start + duration, with the marks of the same time; the slice's own mark is the first. */
  trace: ProfilerTrace;
}

/** The slice's own mark in its trace. */
export function markOf({ what, name, target, start, duration, inputDelay, processing, presentation }: Omit<Slice, "trace" | "unknown">): TraceMark {
  return { what: what === "mark" ? "measure" : what, name, target, time: start, duration, inputDelay, processing, presentation };
}
