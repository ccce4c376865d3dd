// The state of the view: the views follow it, and change it.
import { leftHeavy, type Bands } from "./bands";
import type { Change } from "./change";
import { fold, isFolded, noFolds, type Folds } from "./fold";
import type { Mark } from "./mark";
import type { Profile } from "./profile";
import { TimeOrder } from "./timeorder";
import { Weights, type Range } from "./weights";

export interface Look {
  range: Range;
  /** The function that is selected, and the one that the sandwich is about; −1 for none. */
  fn: number;
  focus: number;
  query: string;
  folds: Folds;
}

/** The part that changed: one of the look, or the data that is looked at. */
export type Changed = keyof Look | "data";

/** The results for a profile and a range, which may have been computed elsewhere. */
export interface Made {
  weights?: Weights;
  flame?: Bands;
  order?: TimeOrder;
  /** Of the timeline; see binsOf. */
  bins?: Float64Array;
}

/** The results of a query: functions, and the ticks with at least one of them on the stack. */
export interface Matches {
  functions: number;
  ticks: number;
}

/** The text of a file, by the name that functions have for it, if it is known. */
export type Texts = (file: string) => string | undefined;

export class Store {
  private look: Look;
  private listeners: ((changed: Changed) => void)[] = [];
  /** Functions that the query finds; null without a query. */
  found: Uint8Array | null = null;
  marks: readonly Mark[] = [];
  /** Ends what the views listen to outside of themselves. */
  private readonly ending = new AbortController();
  /** How to get the texts of sources. */
  advice = "Write it with --sources DIRECTORY, or --maps DIRECTORY if the maps have the sources.";
  /** How much earlier the same moment is in the present data than in the data before. */
  shift = 0;

  constructor(
    public profile: Profile,
    public change: Change | null,
    readonly texts: Texts,
    readonly made: Made = {},
    private readonly source = profile,
  ) {
    this.look = { range: [0, profile.end], fn: -1, focus: -1, query: "", folds: noFolds };
  }

  get range(): Range {
    return this.look.range;
  }

  get fn(): number {
    return this.look.fn;
  }

  get focus(): number {
    return this.look.focus;
  }

  get query(): string {
    return this.look.query;
  }

  get folds(): Folds {
    return this.look.folds;
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

  /** Whether all there is is shown. */
  get isPlain(): boolean {
    return this.isWhole && this.fn < 0 && this.query === "" && !isFolded(this.folds);
  }

  get ended(): AbortSignal {
    return this.ending.signal;
  }

  /** Lets go of its views, for a page that shows another profile in their place. */
  end() {
    this.ending.abort();
  }

  onChange(listener: (changed: Changed) => void) {
    this.listeners.push(listener);
  }

  select(fn: number) {
    if (fn !== this.fn) this.set("fn", fn);
  }

  /** Shows a function with its callers above and its callees below. */
  sandwich(fn: number) {
    this.select(fn);
    this.set("focus", fn);
  }

  setRange([from, to]: Range) {
    const { end } = this.profile;
    const range: Range = to > from ? [Math.min(end, Math.max(0, from)), Math.min(end, to)] : [0, end];
    this.made.weights = this.made.flame = undefined;
    this.set("range", range);
  }

  search(query: string) {
    const words = query.trim().toLowerCase();
    this.find(words);
    this.set("query", words);
  }

  /** Leaves out, or shows again. The panel's next data is so; a report's is made here. */
  fold(folds: Folds) {
    if (folds.hidden.includes(this.fn)) this.select(-1);
    if (!LIVE) {
      this.profile = fold(this.source, folds);
      Object.assign(this.made, { weights: undefined, flame: undefined, order: undefined, bins: undefined });
    }
    this.change &&= this.change.folded(folds, this.profile.functions);
    this.set("folds", folds);
  }

  /** Hides a function, whose time then counts in its callers, or shows it again. */
  hide(fn: number, isHidden = true) {
    const others = this.folds.hidden.filter((other) => other !== fn);
    this.fold({ ...this.folds, hidden: isHidden ? [...others, fn] : others });
  }

  /** Shows all there is. */
  reset() {
    this.search("");
    this.select(-1);
    if (isFolded(this.folds)) this.fold(noFolds);
    this.setRange([0, this.profile.end]);
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
    this.change = change && isFolded(this.folds) ? change.folded(this.folds, this.profile.functions) : change;
    this.shift = 0;
    this.tell("data");
  }

  /** The results of the query in the stretch in view; null without a query. */
  matches(): Matches | null {
    const { profile, weights, found } = this;
    if (!found) return null;
    const { fn, parent } = profile;
    const isBelow = new Uint8Array(fn.length); // a function that is found
    let ticks = 0;
    for (let n = 0; n < fn.length; n++) {
      isBelow[n] = found[fn[n]] | (parent[n] >= 0 ? isBelow[parent[n]] : 0);
      if (isBelow[n]) ticks += weights.self[n];
    }
    let functions = 0;
    weights.totalOf.forEach((total, at) => (functions += total > 0 ? found[at] : 0));
    return { functions, ticks };
  }

  /** Whether what is in view is to be shown again, from its start. */
  isOther(changed: Changed): boolean {
    return changed === "range" || (!LIVE && changed === "folds");
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
