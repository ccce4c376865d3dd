// A profile of the chosen sources, as a report of the same samples has it.
import { Profile } from "../profile";
import type { Calls } from "./calls";
import type { Held } from "./held";

export interface Chosen {
  /** 1 for a source that is shown, 0 for others, by its number. */
  shown: ArrayLike<number>;
  /** The microseconds of a tick. */
  unit: number;
  /** When the first of them began, in milliseconds since the epoch. */
  begin: number;
}

/** Also gives when it begins, in milliseconds since the epoch. */
export function snapshotOf(held: Held, calls: Calls, chosen: Chosen): { profile: Profile; origin: number } {
  held.settle();
  const origin = held.forgotten > 0 ? Math.max(chosen.begin, held.rows.time[0]) : chosen.begin;
  const samples = samplesOf(held, chosen, origin);
  const { node, weight } = samples;
  const total = new Float64Array(calls.count);
  for (let i = 0; i < node.length; i++) if (node[i] >= 0) total[node[i]] += weight[i];
  const { depth, fn, renamed } = heavyFirst(calls, total);
  for (let i = 0; i < node.length; i++) if (node[i] >= 0) node[i] = renamed[node[i]];
  return { profile: new Profile({ interval: chosen.unit / 1000, functions: calls.functions, depth, fn, ...samples }), origin };
}

/** The columns of the chosen samples. */
function samplesOf({ rows }: Held, { shown, unit }: Chosen, origin: number) {
  const { count, source, time, node, line, weight } = rows; // once: a million look-ups take time
  let all = 0;
  for (let i = 0; i < count; i++) all += shown[source[i]];
  const samples = { time: new Float64Array(all), node: new Int32Array(all), line: new Int32Array(all), weight: new Int32Array(all) };
  const { time: times, node: nodes, line: lines, weight: weights } = samples;
  for (let i = 0, to = 0; i < count; i++) {
    if (shown[source[i]] === 0) continue;
    times[to] = time[i] - origin;
    nodes[to] = node[i];
    lines[to] = line[i];
    weights[to++] = Math.round(weight[i] / unit);
  }
  return samples;
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
