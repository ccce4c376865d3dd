// The messages between the worker and its page. A snapshot is made in the worker and
// moved: no column is copied, and the page has nothing left to compute.
import { Bands } from "../bands";
import type { Folds } from "../fold";
import { Profile, type Func } from "../profile";
import type { Made } from "../store";
import { TimeOrder } from "../timeorder";
import { Weights, type Range } from "../weights";
import type { Noted } from "./member";
import type { Account, Source, ToServer } from "./protocol";

/** Which range stays in view: all, the last milliseconds, or one that was selected, in milliseconds since the epoch. */
export type Follow = "all" | number | Range;

export function rangeOf(follow: Follow, origin: number, end: number): Range {
  if (follow === "all") return [0, end];
  if (typeof follow === "number") return [Math.max(0, end - follow), end];
  const [from, to] = [Math.max(0, follow[0] - origin), Math.min(end, follow[1] - origin)];
  return to > from ? [from, to] : [0, end];
}

/** The choice of what the page shows. */
export interface Look {
  /** IDs; null is all. */
  shown: string[] | null;
  follow: Follow;
  folds: Folds;
  /** The chart that is open, if one is. */
  chart: "flame" | "order" | "";
  /** Of the timeline, in pixels. */
  width: number;
  /** Counts looks, so that a snapshot says for which it was made. */
  number: number;
}

export type ToWorker = { do: "open"; url: string; token: string } | { do: "look"; look: Look } | { do: "send"; message: ToServer } | { do: "drawn" };

/** The losses, in numbers. */
export interface Losses {
  dropped: { batches: number; ticks: number };
  /** Samples that the panel had no room for. */
  forgotten: number;
  /** No room for new nodes. */
  isFull: boolean;
  notes: string[];
}

export interface Snapshot {
  is: "snapshot";
  profile: object;
  /** Those that are new. */
  functions: Func[];
  made: { weights: object; flame?: object; order?: object; bins?: Float64Array };
  range: Range;
  look: number;
  /** When its times are 0, in milliseconds since the epoch. */
  origin: number;
  /** Of the sources that are shown. */
  marks: Noted[];
  account: Account;
  /** Ticks by kind of function, of all that was sampled. */
  ticks: Float64Array;
  losses: Losses;
  sources: string[];
}

export type FromWorker =
  | Snapshot
  | { is: "sources"; list: Source[]; server: string }
  | { is: "open" }
  | { is: "trying"; after: number }
  | { is: "refused"; why: string };

/** The fields of a profile and what was made from it, without what is known elsewhere. */
export function bare(profile: Profile, { weights, flame, order, bins }: Made) {
  return { profile: { ...profile, functions: undefined }, made: { weights: { ...weights, profile: undefined }, flame: flame && { ...flame }, order: order && { ...order, profile: undefined }, bins } };
}

/** All memory in it, to be moved. */
export function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (value && typeof value === "object") for (const part of Object.values(value)) buffersIn(part, found);
  return [...found];
}

/** The page's side of bare. */
export function whole({ profile: fields, made }: Snapshot, functions: Func[]): { profile: Profile; made: Made } {
  const profile = revive(Profile, fields, { functions });
  return {
    profile,
    made: {
      weights: revive(Weights, made.weights, { profile }),
      flame: made.flame && revive(Bands, made.flame),
      order: made.order && revive(TimeOrder, made.order, { profile }),
      bins: made.bins,
    },
  };
}

/** An object of a class from its fields: objects that are sent between threads have none. */
function revive<Made extends object>(of: { prototype: Made }, fields: object, more: object = {}): Made {
  return Object.assign(Object.create(of.prototype) as Made, fields, more);
}
