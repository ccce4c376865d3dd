// Layers whose boxes are laid out beforehand: the flame graph, and callers and
// callees of a function.
import { mergedCallees, mergedCallers, type Branch } from "./branches";
import type { Box, Layers, Put, Sight } from "./layers";
import { firstAfter, type Profile } from "./profile";
import type { Weights } from "./weights";

export class Bands implements Layers {
  /** The boxes of all layers, one after another; those of a depth begin at `begins`. */
  private readonly start: Float64Array;
  private readonly end: Float64Array;
  private readonly fn: Int32Array;
  private readonly begins: Int32Array;
  private readonly next: Int32Array;
  readonly depth: number;

  /** Room for so many boxes of each depth. */
  constructor(
    counts: ArrayLike<number>,
    readonly width: number,
  ) {
    this.depth = counts.length;
    this.begins = new Int32Array(counts.length + 1);
    for (let d = 0; d < counts.length; d++) this.begins[d + 1] = this.begins[d] + counts[d];
    this.next = this.begins.slice();
    const all = this.begins[counts.length];
    this.start = new Float64Array(all);
    this.end = new Float64Array(all);
    this.fn = new Int32Array(all);
  }

  /** Adds a box to the right of those in its layer. */
  add(depth: number, start: number, end: number, fn: number) {
    const i = this.next[depth]++;
    this.start[i] = start;
    this.end[i] = end;
    this.fn[i] = fn;
  }

  draw({ from, to, step, first, past }: Sight, put: Put) {
    const { start, end, fn, begins } = this;
    for (let depth = first; depth < Math.min(past, this.depth); depth++) {
      const last = begins[depth + 1];
      for (let i = firstAfter(end, from, begins[depth], last); i < last && start[i] < to; ) {
        put(depth, start[i], end[i], fn[i]);
        i = end[i] - start[i] >= step ? i + 1 : Math.max(i + 1, firstAfter(end, pixelAfter(start[i], from, step), i, last));
      }
    }
  }

  at(depth: number, place: number, step: number): Box | null {
    if (depth < 0 || depth >= this.depth) return null;
    const i = firstAfter(this.end, place, this.begins[depth], this.begins[depth + 1]);
    const box = this.box(depth, i);
    return box && box.start < place + step ? box : null;
  }

  neighbour({ depth, i }: Box, by: 1 | -1): Box | null {
    return this.box(depth, i + by);
  }

  /** The box with the same functions above it. */
  again({ depth, start, end }: Box, older: Layers): Box | null {
    if (!LIVE) return null;
    let found: Box | null = null;
    for (let at = 0; at <= depth; at++) {
      const was = older.at(at, (start + end) / 2, 0);
      const [low, high] = found ? [found.start, found.end] : [0, this.width];
      const past = at < this.depth ? this.begins[at + 1] : 0;
      let i = at < this.depth ? firstAfter(this.end, low, this.begins[at], past) : 0;
      while (i < past && this.start[i] < high && this.fn[i] !== was?.fn) i++;
      if (i >= past || this.start[i] >= high) return null;
      found = this.box(at, i);
    }
    return found;
  }

  private box(depth: number, i: number): Box | null {
    if (i < this.begins[depth] || i >= this.begins[depth + 1]) return null;
    return { depth, i, start: this.start[i], end: this.end[i], fn: this.fn[i] };
  }
}

/** Where the pixel after the one of a place begins. */
export const pixelAfter = (place: number, from: number, step: number) => from + (Math.floor((place - from) / step) + 1) * step;

/** The flame graph: equal calls side by side, the heaviest to the left. */
export function leftHeavy(profile: Profile, weights: Weights): Bands {
  const { parent, fn, depth, deepest } = profile;
  const { total, all } = weights;
  const order = weights.isWhole ? null : heavyFirst(profile, weights); // nodes are in the order of the whole
  const count = order ? order.length : fn.length;
  const counts = new Int32Array(deepest);
  for (let k = 0; k < count; k++) counts[depth[order ? order[k] : k]]++;
  const bands = new Bands(order ? counts.subarray(0, used(counts)) : counts, all);
  const free = new Float64Array(fn.length); // where the callees of a node have room, from the left
  let left = 0;
  for (let k = 0; k < count; k++) {
    const n = order ? order[k] : k;
    const from = parent[n] < 0 ? left : free[parent[n]];
    const to = from + total[n];
    if (parent[n] < 0) left = to;
    else free[parent[n]] = to;
    free[n] = from;
    bands.add(depth[n], from, to, fn[n]);
  }
  return bands;
}

function used(counts: Int32Array): number {
  let depth = 0;
  while (depth < counts.length && counts[depth] > 0) depth++;
  return depth;
}

/** The nodes of a stretch, each followed by what it calls, the heaviest first. */
function heavyFirst({ parent, children: { start, list } }: Profile, { total }: Weights): Int32Array {
  const order = new Int32Array(parent.length);
  const open: number[] = [];
  const lightFirst = (a: number, b: number) => total[a] - total[b] || b - a;
  const push = (node: number) => {
    const calls: number[] = [];
    for (let k = start[node + 1] - 1; k >= start[node]; k--) if (total[list[k]] > 0) calls.push(list[k]);
    if (calls.length > 1) calls.sort(lightFirst);
    for (const call of calls) open.push(call);
  };
  let count = 0;
  push(parent.length);
  for (let n = open.pop(); n !== undefined; n = open.pop()) {
    order[count++] = n;
    push(n);
  }
  return order.subarray(0, count);
}

/** Boxes that no one could see, of a merged tree. */
const smallest = 1 / 4000;

/** The callers of a function, or its callees, as a flame graph that begins with it. */
export function around(profile: Profile, weights: Weights, fn: number, callers: boolean): Bands {
  const root = callers ? mergedCallers(profile, weights, fn) : mergedCallees(profile, weights, fn);
  const boxes: [depth: number, start: number, end: number, fn: number][] = [];
  const counts: number[] = [];
  const open: [Branch, number, number][] = root.total > 0 ? [[root, 0, 0]] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const [branch, depth, from] = next;
    boxes.push([depth, from, from + branch.total, branch.fn]);
    counts[depth] = (counts[depth] ?? 0) + 1;
    let start = from;
    const below: typeof open = [];
    for (const child of branch.children()) {
      if (child.total < root.total * smallest) break; // they come in order
      below.push([child, depth + 1, start]);
      start += child.total;
    }
    open.push(...below.reverse());
  }
  const bands = new Bands(counts, root.total);
  for (const box of boxes) bands.add(...box);
  return bands;
}
