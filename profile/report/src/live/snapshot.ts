// A profile of the chosen sources, as a report of the same samples has it.
import { Profile, type Tables } from "../profile";
import type { Calls } from "./calls";
import type { Held } from "./held";

export interface Chosen {
  /** Whether a source is shown, by its number. */
  shown: ArrayLike<number>;
  /** The microseconds of a tick. */
  unit: number;
  /** When the first of them began, in milliseconds since the epoch. */
  begin: number;
}

/** Also gives when it begins, in milliseconds since the epoch. */
export function snapshotOf(held: Held, calls: Calls, { shown, unit, begin }: Chosen): { profile: Profile; origin: number } {
  held.settle();
  const { rows } = held;
  const origin = held.forgotten > 0 ? Math.max(begin, rows.time[0]) : begin;
  const count = countOf(held, shown);
  const tables: Tables = {
    interval: unit / 1000,
    functions: calls.functions,
    depth: new Int32Array(),
    fn: new Int32Array(),
    time: new Float64Array(count),
    node: new Int32Array(count),
    line: new Int32Array(count),
    weight: new Int32Array(count),
  };
  const total = new Float64Array(calls.count);
  for (let i = 0, to = 0; i < rows.count; i++) {
    if (!shown[rows.source[i]]) continue;
    const weight = Math.round(rows.weight[i] / unit);
    tables.time[to] = rows.time[i] - origin;
    tables.node[to] = rows.node[i];
    tables.line[to] = rows.line[i];
    tables.weight[to++] = weight;
    if (rows.node[i] >= 0) total[rows.node[i]] += weight;
  }
  const order = heavyFirst(calls, total);
  tables.depth = order.depth;
  tables.fn = order.fn;
  for (let i = 0; i < count; i++) if (tables.node[i] >= 0) tables.node[i] = order.renamed[tables.node[i]];
  return { profile: new Profile(tables), origin };
}

function countOf({ rows }: Held, shown: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0; i < rows.count; i++) if (shown[rows.source[i]]) count++;
  return count;
}

/** The nodes that have time, given what each has itself: every one followed by what it calls, the heaviest first, as calls.go has them. */
function heavyFirst({ parent, fn, count }: Calls, total: Float64Array) {
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
