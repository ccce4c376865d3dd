// What a stretch of time weighs, by node and by function.
import type { Profile } from "./profile";

/** From and to, as Profile's times. */
export type Range = readonly [from: number, to: number];

export interface Weights {
  /** Ticks of the stretch, those with no stack included. */
  readonly all: number;
  /** Ticks with a node on top, and with it anywhere. */
  readonly self: Float64Array;
  readonly total: Float64Array;
  /** The same by function; a function counts once in a sample. */
  readonly selfOf: Float64Array;
  readonly totalOf: Float64Array;
  /** The samples. */
  readonly first: number;
  readonly behind: number;
}

export function weigh(profile: Profile, [from, to]: Range): Weights {
  const { node, weight, parent, fn, outermost, functions } = profile;
  const self = new Float64Array(parent.length);
  const [first, behind] = [from <= 0 ? 0 : profile.after(from), to >= profile.end ? node.length : profile.after(to)];
  let all = 0;
  for (let i = first; i < behind; i++) {
    all += weight[i];
    if (node[i] >= 0) self[node[i]] += weight[i];
  }
  const total = self.slice();
  const selfOf = new Float64Array(functions.length);
  const totalOf = new Float64Array(functions.length);
  for (let n = parent.length - 1; n >= 0; n--) {
    if (parent[n] >= 0) total[parent[n]] += total[n];
    selfOf[fn[n]] += self[n];
    if (outermost[n]) totalOf[fn[n]] += total[n];
  }
  return { all, self, total, selfOf, totalOf, first, behind };
}
