// What is in view: the views follow it, and change it.
import type { Change } from "./change";
import { Profile } from "./profile";
import { Weights, type Range } from "./weights";

export interface Look {
  range: Range;
  /** The function that is selected, −1 for none. */
  fn: number;
  query: string;
}

export class Store {
  private look: Look;
  private listeners: ((changed: keyof Look) => void)[] = [];
  weights: Weights;
  /** Functions that the query finds; null without a query. */
  found: Uint8Array | null = null;

  constructor(
    readonly profile: Profile,
    readonly change: Change | null,
    readonly sources: Record<string, string>,
  ) {
    this.look = { range: [0, profile.end], fn: -1, query: "" };
    this.weights = new Weights(profile, this.look.range);
  }

  get range(): Range {
    return this.look.range;
  }

  get fn(): number {
    return this.look.fn;
  }

  get isWhole(): boolean {
    return this.range[0] <= 0 && this.range[1] >= this.profile.end;
  }

  onChange(listener: (changed: keyof Look) => void) {
    this.listeners.push(listener);
  }

  select(fn: number) {
    if (fn !== this.look.fn) this.set("fn", fn);
  }

  setRange([from, to]: Range) {
    const { end } = this.profile;
    const range: Range = to > from ? [Math.max(0, from), Math.min(end, to)] : [0, end];
    this.weights = new Weights(this.profile, range);
    this.set("range", range);
  }

  search(query: string) {
    const words = query.trim().toLowerCase();
    this.found = words ? Uint8Array.from(this.profile.functions, (fn) => (fn.words.includes(words) ? 1 : 0)) : null;
    this.set("query", words);
  }

  private set<Key extends keyof Look>(key: Key, value: Look[Key]) {
    this.look[key] = value;
    for (const listener of this.listeners) listener(key);
  }
}
