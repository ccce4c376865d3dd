// Charts are made of boxes in bands, one band for each depth: in a band boxes
// stand from left to right and do not overlap, so that what is in sight is found
// fast however many there are.
import { childrenOf, type Profile } from "./profile";
import { mergedCallees, mergedCallers, type Branch } from "./branches";
import type { Weights } from "./weights";

export interface Band {
  start: number[];
  end: number[];
  /** What a box is of: the function, and a node of it for what differs by node. */
  fn: number[];
  node: number[];
}

export interface Bands {
  bands: Band[];
  /** The width of all. */
  width: number;
}

function put(bands: Band[], depth: number, start: number, end: number, fn: number, node: number) {
  const band = (bands[depth] ??= { start: [], end: [], fn: [], node: [] });
  band.start.push(start);
  band.end.push(end);
  band.fn.push(fn);
  band.node.push(node);
}

/** The flame graph: equal calls side by side, the heaviest to the left. */
export function leftHeavy(profile: Profile, { total, all }: Weights): Bands {
  const { parent, fn, depth } = profile;
  const { start, list } = childrenOf(parent);
  const bands: Band[] = [];
  const visit = (at: number, from: number): [number, number][] => {
    const children = Array.from(list.subarray(start[at], start[at + 1])).filter((n) => total[n] > 0);
    children.sort((a, b) => total[b] - total[a] || a - b);
    return children.map((n) => {
      const place: [number, number] = [n, from];
      from += total[n];
      return place;
    });
  };
  const open = visit(parent.length, 0).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const [n, from] = next;
    put(bands, depth[n], from, from + total[n], fn[n], n);
    for (const child of visit(n, from).reverse()) open.push(child);
  }
  return { bands, width: all };
}

/** Calls in the order of time. */
export function timeOrder(profile: Profile): Bands {
  const { parent, fn, depth, node, time } = profile;
  const bands: Band[] = [];
  const path: number[] = []; // the nodes of the sample before
  let end = 0; // of it
  for (let i = 0; i < node.length; i++) {
    const began = profile.began(i);
    const n = node[i];
    const joins = began <= end;
    let at = n;
    for (let d = path.length - 1; d > (n < 0 ? -1 : depth[n]); d--) path.pop();
    const fresh: number[] = [];
    while (at >= 0 && !(joins && path[depth[at]] === at)) {
      fresh.push(at);
      at = parent[at];
    }
    for (let kept = at; kept >= 0; kept = parent[kept]) {
      const { end: ends } = bands[depth[kept]];
      ends[ends.length - 1] = time[i];
    }
    for (const f of fresh.reverse()) {
      put(bands, depth[f], began, time[i], fn[f], f);
      path[depth[f]] = f;
    }
    end = time[i];
  }
  return { bands, width: profile.end };
}

/** Boxes that no one could see, of a merged tree. */
const smallest = 1 / 4000;

/** The callers of a function, or what it calls, as a flame graph that begins with it. */
export function around(profile: Profile, weights: Weights, fn: number, callers: boolean): Bands {
  const bands: Band[] = [];
  const root = callers ? mergedCallers(profile, weights, fn) : mergedCallees(profile, weights, fn);
  const open: [Branch, number, number][] = [[root, 0, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [branch, depth, from] = next;
    put(bands, depth, from, from + branch.total, branch.fn, branch.nodes[0]);
    let start = from;
    const below: typeof open = [];
    for (const child of branch.children()) {
      if (child.total < root.total * smallest) break; // they come in order
      below.push([child, depth + 1, start]);
      start += child.total;
    }
    open.push(...below.reverse());
  }
  return { bands, width: root.total };
}
