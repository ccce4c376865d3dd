// A profile as the views work on it: a call tree of functions, whose nodes stand
// for stacks that differ only in positions, and samples that point into it.
import type { Columns } from "./columns";

export interface Func {
  name: string;
  file: string;
  line: number;
  kind: number;
  /** Its name in small letters, to be searched. */
  words: string;
}

export class Profile {
  readonly functions: Func[];
  /** Of each node: its caller's node, which stands before it, or −1. */
  readonly parent: Int32Array;
  readonly fn: Int32Array;
  readonly depth: Int32Array;
  /** 1 where a node's function stands nowhere below it: its total counts once. */
  readonly outermost: Uint8Array;
  /** Of each sample: when it ended, in milliseconds, or in ticks where there is no clock. */
  readonly time: Float64Array;
  readonly node: Int32Array;
  readonly weight: Int32Array;
  /** The frame on top of each sample, −1 for none. */
  readonly top: Int32Array;
  readonly deepest: number;

  constructor(readonly columns: Columns) {
    const { strings, functions, stacks, frames, samples } = columns;
    this.functions = functions.name.map((name, i) => {
      const [text, file] = [strings[name], strings[functions.file[i]]];
      return { name: text, file, line: functions.line[i], kind: functions.kind[i], words: `${text} ${file}`.toLowerCase() };
    });
    const nodes = merge(stacks.parent, stacks.frame.map((frame) => frames.function[frame]), this.functions.length);
    this.parent = nodes.parent;
    this.fn = nodes.fn;
    this.depth = new Int32Array(this.fn.length);
    let deepest = 0;
    for (let n = 0; n < this.fn.length; n++) {
      if (this.parent[n] >= 0) this.depth[n] = this.depth[this.parent[n]] + 1;
      deepest = Math.max(deepest, this.depth[n] + 1);
    }
    this.deepest = deepest;
    this.outermost = outermost(this.parent, this.fn, this.functions.length);
    const count = samples.stack.length;
    this.time = new Float64Array(count);
    this.node = new Int32Array(count);
    this.weight = Int32Array.from(samples.weight);
    this.top = new Int32Array(count);
    let clock = 0;
    for (let i = 0; i < count; i++) {
      clock += columns.interval > 0 ? samples.time[i] / 1000 : samples.weight[i];
      this.time[i] = clock;
      const stack = samples.stack[i];
      this.node[i] = stack < 0 ? -1 : nodes.of[stack];
      this.top[i] = stack < 0 ? -1 : stacks.frame[stack];
    }
  }

  /** How long it took, by the samples: in milliseconds or ticks. */
  get end(): number {
    return this.time.length > 0 ? this.time[this.time.length - 1] : 0;
  }

  /** What a tick is worth: milliseconds, or 1. */
  get unit(): number {
    return this.columns.interval || 1;
  }

  /** When a sample began: at the end of the one before, unless ticks are missing in between. */
  began(i: number): number {
    const before = i > 0 ? this.time[i - 1] : 0;
    const own = this.weight[i] * this.unit;
    return this.time[i] - before > 8 * own + 10 * this.unit ? this.time[i] - own : before;
  }

  /** The first sample that ended behind a time. */
  after(time: number): number {
    let [low, high] = [0, this.time.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** One node for all stacks of the same functions. */
function merge(parents: number[], functions: number[], count: number) {
  const known = new Map<number, number>();
  const of = new Int32Array(parents.length);
  const [parent, fn]: [number[], number[]] = [[], []];
  for (let stack = 0; stack < parents.length; stack++) {
    const caller = parents[stack] < 0 ? -1 : of[parents[stack]];
    const key = (caller + 1) * count + functions[stack];
    let node = known.get(key);
    if (node === undefined) {
      known.set(key, (node = parent.length));
      parent.push(caller);
      fn.push(functions[stack]);
    }
    of[stack] = node;
  }
  return { of, parent: Int32Array.from(parent), fn: Int32Array.from(fn) };
}

/** The children of each node, in one list: those of node n from start[n] to start[n + 1]. */
export interface Children {
  start: Int32Array;
  list: Int32Array;
}

/** The last entry's children are the roots. */
export function childrenOf(parent: Int32Array): Children {
  const count = parent.length;
  const start = new Int32Array(count + 2);
  const at = (n: number) => (parent[n] < 0 ? count : parent[n]);
  for (let n = 0; n < count; n++) start[at(n) + 1]++;
  for (let n = 0; n <= count; n++) start[n + 1] += start[n];
  const list = new Int32Array(count);
  const next = start.slice();
  for (let n = 0; n < count; n++) list[next[at(n)]++] = n;
  return { start, list };
}

/** Walks the tree once, with how often each function is on the way. Stacks may be deeper than a recursion. */
function outermost(parent: Int32Array, fn: Int32Array, functions: number): Uint8Array {
  const { start, list } = childrenOf(parent);
  const found = new Uint8Array(parent.length);
  const on = new Int32Array(functions);
  const next = start.slice();
  let at = parent.length; // the root of all
  for (;;) {
    if (next[at] < start[at + 1]) {
      at = list[next[at]++];
      if (on[fn[at]]++ === 0) found[at] = 1;
      continue;
    }
    if (at === parent.length) return found;
    on[fn[at]]--;
    at = parent[at] < 0 ? parent.length : parent[at];
  }
}
