// Trees that are made as they are opened: top-down, bottom-up, and from a function in
// both directions.
import type { Profile } from "./profile";
import type { Weights } from "./weights";

/** A row of a tree: the nodes of one function under one path of calls. */
export interface Branch {
  fn: number;
  self: number;
  total: number;
  /** Heaviest first. */
  children(): Branch[];
}

const byWeight = (a: Branch, b: Branch) => b.total - a.total || b.self - a.self || a.fn - b.fn;

/** The calls, from the outermost functions on. */
export function topDown(profile: Profile, weights: Weights): Branch[] {
  const { start, list } = profile.children;
  const root = profile.parent.length;
  return grouped(profile, weights, [...list.subarray(start[root], start[root + 1])]);
}

/** Nodes by function, as branches that go down. */
function grouped(profile: Profile, weights: Weights, nodes: number[]): Branch[] {
  const { start, list } = profile.children;
  const groups = new Map<number, number[]>();
  for (const n of nodes) {
    if (weights.total[n] === 0) continue;
    const group = groups.get(profile.fn[n]);
    if (group) group.push(n);
    else groups.set(profile.fn[n], [n]);
  }
  const branches = [...groups].map(([fn, members]) => ({
    fn,
    self: sum(members, weights.self),
    total: sum(members, weights.total),
    children: () => grouped(profile, weights, members.flatMap((n) => [...list.subarray(start[n], start[n + 1])])),
  }));
  return branches.sort(byWeight);
}

function sum(nodes: number[], of: Float64Array): number {
  let all = 0;
  for (const n of nodes) all += of[n];
  return all;
}

/** The functions that spent the time, and their callers. */
export function bottomUp(profile: Profile, weights: Weights): Branch[] {
  const { selfOf, totalOf } = weights;
  const rows: Branch[] = [];
  selfOf.forEach((self, fn) => {
    if (self > 0) rows.push({ fn, self, total: totalOf[fn], children: () => callers(profile, up(profile, waysFrom(profile, fn, weights.self))) });
  });
  return rows.sort((a, b) => b.self - a.self || a.fn - b.fn);
}

/** A node on the path up from another, and the ticks that come along it. */
interface Way {
  at: number;
  weight: number;
}

/** Paths by the function they have reached, as branches that go up. All ticks of a path belong to its row. */
function callers(profile: Profile, ways: Way[]): Branch[] {
  const groups = new Map<number, Way[]>();
  for (const way of ways) {
    const group = groups.get(profile.fn[way.at]);
    if (group) group.push(way);
    else groups.set(profile.fn[way.at], [way]);
  }
  const branches = [...groups].map(([fn, members]): Branch => ({
    fn,
    self: 0,
    total: members.reduce((all, { weight }) => all + weight, 0),
    children: () => callers(profile, up(profile, members)),
  }));
  return branches.sort(byWeight);
}

function up(profile: Profile, ways: Way[]): Way[] {
  const next: Way[] = [];
  for (const way of ways) if (profile.parent[way.at] >= 0) next.push({ at: profile.parent[way.at], weight: way.weight });
  return next;
}

/** The paths up that begin at the nodes of a function, with their ticks. */
function waysFrom({ fn }: Profile, wanted: number, weighs: Float64Array, counts?: Uint8Array): Way[] {
  const ways: Way[] = [];
  for (let n = 0; n < fn.length; n++) if (fn[n] === wanted && weighs[n] > 0 && counts?.[n] !== 0) ways.push({ at: n, weight: weighs[n] });
  return ways;
}

/** A function with its callers. */
export function mergedCallers(profile: Profile, weights: Weights, fn: number): Branch {
  return callers(profile, waysFrom(profile, fn, weights.total, profile.outermost))[0] ?? nothing(fn);
}

/** A function with what it calls, wherever it was called from. */
export function mergedCallees(profile: Profile, weights: Weights, fn: number): Branch {
  const outermost = waysFrom(profile, fn, weights.total, profile.outermost);
  return grouped(profile, weights, outermost.map(({ at }) => at))[0] ?? nothing(fn);
}

const nothing = (fn: number): Branch => ({ fn, self: 0, total: 0, children: () => [] });
