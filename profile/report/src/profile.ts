// A profile as the views work on it: a call tree of functions, whose nodes merge
// stacks that differ only in positions, and samples that point into it.
import { printable } from "./printable";

export class Func {
  readonly name: string;
  readonly file: string;

  constructor(
    name: string,
    file: string,
    readonly line: number,
    readonly kind: number,
    readonly column = 0,
  ) {
    this.name = printable(name);
    this.file = printable(file);
  }

  /** Its name and file in lower case, for searching. */
  get words(): string {
    return `${this.name} ${this.file}`.toLowerCase();
  }
}

/** The node of a sample that its reader does not want to see. */
export const HIDDEN = -2;

/** The parts of a profile, whether it comes from a file or from a stream. */
export interface Tables {
  /** The milliseconds of a tick; 0 if only weights are known. */
  interval: number;
  functions: Func[];
  /** The tree of calls: each node is followed by what it calls, the heaviest first. */
  depth: Int32Array;
  fn: Int32Array;
  /** When each sample ended, in milliseconds, or in ticks without a clock. */
  time: Float64Array;
  /** The node of each sample, −1 for none, HIDDEN for one that does not count, and the line of execution, 0 for none. */
  node: Int32Array;
  line: Int32Array;
  weight: Int32Array;
}

export class Profile implements Tables {
  readonly interval: number;
  readonly functions: Func[];
  /** The caller of each node, which comes before it, or −1. Its callees follow it. */
  readonly parent: Int32Array;
  readonly fn: Int32Array;
  readonly depth: Int32Array;
  readonly time: Float64Array;
  readonly node: Int32Array;
  readonly line: Int32Array;
  readonly weight: Int32Array;
  readonly deepest: number;
  /** The milliseconds of a tick, or 1. */
  readonly unit: number;
  private firsts: Uint8Array | undefined;
  private family: Children | undefined;

  constructor(tables: Tables) {
    this.interval = tables.interval;
    this.functions = tables.functions;
    this.fn = tables.fn;
    this.depth = tables.depth;
    this.time = tables.time;
    this.node = tables.node;
    this.line = tables.line;
    this.weight = tables.weight;
    this.unit = this.interval || 1;
    this.deepest = 1 + this.depth.reduce((most, depth) => Math.max(most, depth), -1);
    this.parent = parentsOf(this.depth, this.deepest);
  }

  /** The length of the recording by its samples, in milliseconds or ticks. */
  get end(): number {
    return this.time.length > 0 ? this.time[this.time.length - 1] : 0;
  }

  /** Whether it is a sum: its samples have no place in time. */
  get isSum(): boolean {
    return this.time.length > 0 && this.end === 0;
  }

  /** 1 for a node without its own function among its callers, so its total counts once. */
  get outermost(): Uint8Array {
    return (this.firsts ??= outermost(this));
  }

  get children(): Children {
    return (this.family ??= childrenOf(this.parent));
  }

  /** When a sample began: at the end of the one before, unless ticks are missing in between. */
  began(i: number): number {
    const before = i > 0 ? this.time[i - 1] : 0;
    const { unit } = this;
    const own = this.weight[i] * unit;
    return this.time[i] - before > 8 * own + 10 * unit ? this.time[i] - own : before;
  }

  /** The first sample that ended after a time. */
  after(time: number): number {
    return firstAfter(this.time, time);
  }
}

/** The index of the first of growing numbers that is greater than `than`. */
export function firstAfter(numbers: Float64Array, than: number, low = 0, high = numbers.length): number {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] > than) high = middle;
    else low = middle + 1;
  }
  return low;
}

function parentsOf(depth: Int32Array, deepest: number): Int32Array {
  const parent = new Int32Array(depth.length);
  const last = new Int32Array(deepest); // node of each depth
  for (let n = 0; n < depth.length; n++) {
    parent[n] = depth[n] > 0 ? last[depth[n] - 1] : -1;
    last[depth[n]] = n;
  }
  return parent;
}

/** Walks the tree once, counting how often each function is on the path. */
function outermost({ depth, fn, functions, deepest }: Profile): Uint8Array {
  const found = new Uint8Array(depth.length);
  const on = new Int32Array(functions.length);
  const way = new Int32Array(deepest);
  let long = 0;
  for (let n = 0; n < depth.length; n++) {
    while (long > depth[n]) on[way[--long]]--;
    if (on[fn[n]]++ === 0) found[n] = 1;
    way[long++] = fn[n];
  }
  return found;
}

/** The callees of all nodes in one list: the callees of node n from start[n] to start[n + 1]. The last entry has the outermost. */
export interface Children {
  start: Int32Array;
  list: Int32Array;
}

function childrenOf(parent: Int32Array): Children {
  const count = parent.length;
  const start = new Int32Array(count + 2);
  for (let n = 0; n < count; n++) start[(parent[n] < 0 ? count : parent[n]) + 1]++;
  for (let n = 0; n <= count; n++) start[n + 1] += start[n];
  const list = new Int32Array(count);
  const next = start.slice();
  for (let n = 0; n < count; n++) list[next[parent[n] < 0 ? count : parent[n]]++] = n;
  return { start, list };
}
