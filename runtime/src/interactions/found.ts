// The finds of sources: a mark whose times are in order, and the facts that are not known of it.
import { now } from "./guard";
import type { TraceMark } from "../recording/parts";
import type { Slow } from "./slice";

export interface Found extends TraceMark {
  duration: number;
  /** Facts that are not known of it and why, for people to read. */
  unknown: string[];
}

/** Called with what was found. `before` is what this replaces: the same interaction before it got longer. */
export type See = (found: Found, before?: Found) => void;

/** The longest name or detail of a mark. */
const longest = 300;

/** As slices name it, if it can be slow at all. */
export function slowOf({ what }: TraceMark): Slow | undefined {
  if (what === "measure") return "mark";
  return what === "mark" || what === "frame" || what === "note" ? undefined : what;
}

/** A text from the page: one line, of bounded length. */
export function plain(text: unknown, most = longest): string {
  // eslint-disable-next-line no-control-regex -- they are what is replaced
  return String(text).slice(0, most).replace(/[\x00-\x1f\x7f\u2028\u2029]+/g, " ");
}

/** Puts what a source found in order: a clock may jump, and a page may change entries. */
export function tidy(mark: TraceMark, unknown: string[] = []): Found {
  const time = Math.min(Math.max(0, +mark.time || 0), now());
  const duration = Math.min(Math.max(0, +mark.duration! || 0), now() - time);
  const found: Found = { ...mark, name: plain(mark.name), time, duration, unknown };
  if (mark.detail) found.detail = plain(mark.detail);
  const moved = Math.abs(time - mark.time) + Math.abs(duration - (mark.duration ?? 0));
  if (!(moved <= tolerance)) unknown.push("its exact times: the clock jumped");
  if (mark.inputDelay !== undefined && duration !== mark.duration) scale(found, duration / mark.duration!);
  return found;
}

/** Shortens the parts of an interaction with it. */
function scale(found: Found, by: number) {
  for (const part of ["inputDelay", "processing", "presentation"] as const) found[part]! *= by;
}

/** Durations of events are multiples of eight milliseconds, so that some end in the future. */
const tolerance = 16;

/** How much of the other the first covers, in milliseconds. */
export function overlap(a: Found, b: Found): number {
  return Math.min(a.time + a.duration, b.time + b.duration) - Math.max(a.time, b.time);
}
