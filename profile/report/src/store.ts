// What is in view: the views follow it, and change it.
import { leftHeavy, type Bands } from "./bands";
import type { Change } from "./change";
import type { Profile } from "./profile";
import { TimeOrder } from "./timeorder";
import { Weights, type Range } from "./weights";

export interface Look {
  range: Range;
  /** The function that is selected, −1 for none. */
  fn: number;
  query: string;
}

/** What changed: the look, or the data that is looked at. */
export type Changed = keyof Look | "data";

/** Something that happened, to be marked on axes of time. */
export interface Mark {
  start: number;
  end: number;
  /** Something slow has a colour; a slow interaction also has a line through what is below it. */
  kind: "plain" | "slow" | "interaction";
}

/** What is computed from a profile and a range, and may have been elsewhere. */
export interface Made {
  weights?: Weights;
  flame?: Bands;
  order?: TimeOrder;
  /** Of the timeline; see binsOf. */
  bins?: Float64Array;
}

/** The text of a file, by the name that functions have for it, if it is known. */
export type Texts = (file: string) => string | undefined;

export class Store {
  private look: Look;
  private listeners: ((changed: Changed) => void)[] = [];
  /** Functions that the query finds; null without a query. */
  found: Uint8Array | null = null;
  marks: Mark[] = [];
  /** How much earlier the same moment is in the present data than in the data before. */
  shift = 0;

  constructor(
    public profile: Profile,
    public change: Change | null,
    readonly texts: Texts,
    readonly made: Made = {},
  ) {
    this.look = { range: [0, profile.end], fn: -1, query: "" };
  }

  get range(): Range {
    return this.look.range;
  }

  get fn(): number {
    return this.look.fn;
  }

  get weights(): Weights {
    return (this.made.weights ??= new Weights(this.profile, this.range));
  }

  get flame(): Bands {
    return (this.made.flame ??= leftHeavy(this.profile, this.weights));
  }

  get order(): TimeOrder {
    return (this.made.order ??= new TimeOrder(this.profile));
  }

  get isWhole(): boolean {
    return this.range[0] <= 0 && this.range[1] >= this.profile.end;
  }

  onChange(listener: (changed: Changed) => void) {
    this.listeners.push(listener);
  }

  select(fn: number) {
    if (fn !== this.look.fn) this.set("fn", fn);
  }

  setRange([from, to]: Range) {
    const { end } = this.profile;
    const range: Range = to > from ? [Math.max(0, from), Math.min(end, to)] : [0, end];
    this.made.weights = this.made.flame = undefined;
    this.set("range", range);
  }

  search(query: string) {
    const words = query.trim().toLowerCase();
    this.find(words);
    this.set("query", words);
  }

  /** Puts newer data in place of the present. Functions keep their numbers. */
  replace(profile: Profile, range: Range, shift: number, made: Made) {
    if (!LIVE) return;
    const isLonger = profile.functions.length !== this.found?.length;
    this.profile = profile;
    this.shift = shift;
    this.look.range = range;
    this.look.fn = this.fn < profile.functions.length ? this.fn : -1;
    Object.assign(this.made, { weights: undefined, flame: undefined, order: undefined, bins: undefined }, made);
    if (isLonger) this.find(this.look.query);
    this.tell("data");
  }

  /** Compares with another profile, or with none. */
  compare(change: Change | null) {
    if (!LIVE) return;
    this.change = change;
    this.shift = 0;
    this.tell("data");
  }

  private find(words: string) {
    this.found = words ? Uint8Array.from(this.profile.functions, (fn) => (fn.words.includes(words) ? 1 : 0)) : null;
  }

  private set<Key extends keyof Look>(key: Key, value: Look[Key]) {
    this.look[key] = value;
    this.tell(key);
  }

  tell(changed: Changed) {
    for (const listener of this.listeners) listener(changed);
  }
}
