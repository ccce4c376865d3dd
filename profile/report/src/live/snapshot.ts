// A profile of the chosen sources, as a report of the same samples has it.
import { heavyFirst } from "../nodes";
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
