// Trees that are made as they are looked at: from the top, from the bottom, and
// from a function both ways.
import { childrenOf, type Children, type Profile } from "./profile";
import type { Weights } from "./weights";

/** A row of a tree: some nodes of one function, under one way to it. */
export interface Branch {
  fn: number;
  nodes: number[];
  self: number;
  total: number;
  /** Heaviest first. */
  children(): Branch[];
}

const byWeight = (a: Branch, b: Branch) => b.total - a.total || b.self - a.self || a.fn - b.fn;

const known = new WeakMap<Profile, Children>();

function childrenIn(profile: Profile): Children {
  let children = known.get(profile);
  if (!children) known.set(profile, (children = childrenOf(profile.parent)));
  return children;
}

/** Who calls whom, from the outermost functions on. */
export function topDown(profile: Profile, weights: Weights): Branch[] {
  const { start, list } = childrenIn(profile);
  const root = profile.parent.length;
  return grouped(profile, weights, Array.from(list.subarray(start[root], start[root + 1])));
}

/** Nodes by function, as branches that go down. */
function grouped(profile: Profile, weights: Weights, nodes: number[]): Branch[] {
  const { start, list } = childrenIn(profile);
  const groups = new Map<number, number[]>();
  for (const n of nodes) {
    if (weights.total[n] === 0) continue;
    const group = groups.get(profile.fn[n]);
    if (group) group.push(n);
    else groups.set(profile.fn[n], [n]);
  }
  const branches = [...groups].map(([fn, members]) => ({
    fn,
    nodes: members,
    self: sum(members, weights.self),
    total: sum(members, weights.total),
    children: () => grouped(profile, weights, members.flatMap((n) => Array.from(list.subarray(start[n], start[n + 1])))),
  }));
  return branches.sort(byWeight);
}

function sum(nodes: number[], of: Float64Array): number {
  let all = 0;
  for (const n of nodes) all += of[n];
  return all;
}

/** Where time is spent, and from there who called. */
export function bottomUp(profile: Profile, weights: Weights): Branch[] {
  const ends: Way[] = [];
  weights.self.forEach((weight, node) => weight > 0 && ends.push({ node, at: node, weight }));
  const rows = callers(profile, ends);
  for (const row of rows) [row.self, row.total] = [row.total, weights.totalOf[row.fn]];
  return rows.sort((a, b) => b.self - a.self || a.fn - b.fn);
}

/** A node on the way from a node up, and what comes that way. */
interface Way {
  node: number;
  at: number;
  weight: number;
}

/** Ways by the function they stand at, as branches that go up. What comes up a way is all a row's. */
function callers(profile: Profile, ways: Way[]): Branch[] {
  const groups = new Map<number, Way[]>();
  for (const way of ways) {
    const group = groups.get(profile.fn[way.at]);
    if (group) group.push(way);
    else groups.set(profile.fn[way.at], [way]);
  }
  const branches = [...groups].map(([fn, members]): Branch => ({
    fn,
    nodes: members.map(({ at }) => at),
    self: 0,
    total: members.reduce((all, { weight }) => all + weight, 0),
    children: () => callers(profile, up(profile, members)),
  }));
  return branches.sort(byWeight);
}

function up(profile: Profile, ways: Way[]): Way[] {
  const next: Way[] = [];
  for (const way of ways) if (profile.parent[way.at] >= 0) next.push({ ...way, at: profile.parent[way.at] });
  return next;
}

const outermostOf = ({ fn, outermost }: Profile, wanted: number) => [...fn.keys()].filter((n) => fn[n] === wanted && outermost[n] === 1);

/** A function with its callers. */
export function mergedCallers(profile: Profile, weights: Weights, fn: number): Branch {
  const ways = outermostOf(profile, fn).map((node) => ({ node, at: node, weight: weights.total[node] }));
  const rows = callers(profile, ways.filter(({ weight }) => weight > 0));
  return rows[0] ?? nothing(fn);
}

/** A function with what it calls, wherever it was called from. */
export function mergedCallees(profile: Profile, weights: Weights, fn: number): Branch {
  return grouped(profile, weights, outermostOf(profile, fn))[0] ?? nothing(fn);
}

const nothing = (fn: number): Branch => ({ fn, nodes: [], self: 0, total: 0, children: () => [] });
