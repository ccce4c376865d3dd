// A tree of calls that grows: nodes are the same if they have the same function and
// caller.

/** How many nodes there may be. */
const mostNodes = 1 << 21;

export class Nodes {
  parent = new Int32Array(1 << 10);
  fn = new Int32Array(1 << 10);
  count = 0;
  /** Nodes by caller and function: an open table of their numbers and one more, so that 0 is free. */
  private table = new Int32Array(1 << 12);

  constructor(protected readonly most = mostNodes) {}

  get isFull(): boolean {
    return this.count >= this.most;
  }

  /** The node of a call; without room for it that of the caller. */
  nodeOf(caller: number, fn: number): number {
    const mask = this.table.length - 1;
    let at = hash(caller, fn) & mask;
    for (let entry = this.table[at]; entry !== 0; entry = this.table[(at = (at + 1) & mask)]) {
      if (this.parent[entry - 1] === caller && this.fn[entry - 1] === fn) return entry - 1;
    }
    if (this.count >= this.most) return caller;
    const node = this.count++;
    if (node === this.parent.length) [this.parent, this.fn] = [longer(this.parent), longer(this.fn)];
    this.parent[node] = caller;
    this.fn[node] = fn;
    this.table[at] = node + 1;
    if (2 * this.count > this.table.length) this.rehash();
    return node;
  }

  private rehash() {
    this.table = new Int32Array(2 * this.table.length);
    const mask = this.table.length - 1;
    for (let node = 0; node < this.count; node++) {
      let at = hash(this.parent[node], this.fn[node]) & mask;
      while (this.table[at] !== 0) at = (at + 1) & mask;
      this.table[at] = node + 1;
    }
  }
}

function hash(caller: number, fn: number): number {
  const mixed = Math.imul(caller, 0x9e3779b1) ^ Math.imul(fn, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** A copy with twice the room. */
export function longer<Columns extends Int32Array | Float64Array | Uint16Array>(column: Columns): Columns {
  const copy = new (column.constructor as new (count: number) => Columns)(2 * column.length);
  copy.set(column);
  return copy;
}

/** The nodes that have time, given what each has itself: every one followed by what it calls, the heaviest first, as calls.go has them. */
export function heavyFirst({ parent, fn, count }: Nodes, total: Float64Array) {
  for (let n = count - 1; n >= 0; n--) if (parent[n] >= 0) total[parent[n]] += total[n];
  const first = new Int32Array(count + 2);
  const above = (n: number) => (parent[n] < 0 ? count : parent[n]);
  for (let n = 0; n < count; n++) if (total[n] > 0) first[above(n) + 1]++;
  for (let n = 0; n <= count; n++) first[n + 1] += first[n];
  const list = new Int32Array(first[count + 1]);
  const next = first.slice();
  for (let n = 0; n < count; n++) if (total[n] > 0) list[next[above(n)]++] = n;
  const renamed = new Int32Array(count).fill(-1);
  const made = { depth: new Int32Array(list.length), fn: new Int32Array(list.length), renamed };
  const open = new Int32Array(list.length + 1);
  const depths = new Int32Array(list.length + 1);
  let high = 0;
  const push = (node: number, depth: number) => {
    const calls = list.subarray(first[node], first[node + 1]);
    if (calls.length > 1) calls.sort((a, b) => total[b] - total[a] || a - b);
    for (let k = calls.length - 1; k >= 0; k--) [open[high], depths[high++]] = [calls[k], depth];
  };
  push(count, 0);
  for (let at = 0; high > 0; at++) {
    const [node, depth] = [open[--high], depths[high]];
    renamed[node] = at;
    made.depth[at] = depth;
    made.fn[at] = fn[node];
    push(node, depth + 1);
  }
  return made;
}
