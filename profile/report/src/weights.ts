// The ticks of a stretch of time, by node and by function.
import { HIDDEN, type Profile } from "./profile";

/** From and to, as Profile's times. */
export type Range = readonly [from: number, to: number];

export class Weights {
  /** Ticks of the stretch that count, those with no stack included, and those that do not. */
  readonly all: number;
  readonly hidden: number;
  /** Ticks with a node on top, and with it anywhere. */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** The samples. */
  readonly first: number;
  readonly past: number;
  private of: { self: Float64Array; total: Float64Array } | undefined;

  constructor(
    private readonly profile: Profile,
    [from, to]: Range,
  ) {
    const { node, weight, parent, end } = profile;
    const self = new Float64Array(parent.length);
    this.first = from <= 0 ? 0 : profile.after(from);
    this.past = to >= end ? node.length : profile.after(to);
    let [all, hidden] = [0, 0];
    for (let i = this.first; i < this.past; i++) {
      if (node[i] === HIDDEN) hidden += weight[i];
      else all += weight[i];
      if (node[i] >= 0) self[node[i]] += weight[i];
    }
    const total = self.slice();
    for (let n = parent.length - 1; n >= 0; n--) if (parent[n] >= 0) total[parent[n]] += total[n];
    this.all = all;
    this.hidden = hidden;
    this.self = self;
    this.total = total;
  }

  get isWhole(): boolean {
    return this.first === 0 && this.past === this.profile.node.length;
  }

  /** Ticks with a function on top. */
  get selfOf(): Float64Array {
    return (this.of ??= this.byFunction()).self;
  }

  /** Ticks with a function anywhere, once in a sample. */
  get totalOf(): Float64Array {
    return (this.of ??= this.byFunction()).total;
  }

  private byFunction() {
    const { fn, outermost, functions } = this.profile;
    const of = { self: new Float64Array(functions.length), total: new Float64Array(functions.length) };
    for (let n = 0; n < fn.length; n++) {
      of.self[fn[n]] += this.self[n];
      if (outermost[n]) of.total[fn[n]] += this.total[n];
    }
    return of;
  }
}
