// A profile as its reader wants it: without idle time, so that all shares are of busy
// time, and with functions folded into their callers.
import { IDLE } from "./columns";
import { heavyFirst, Nodes } from "./nodes";
import { HIDDEN, Profile } from "./profile";

export interface Folds {
  /** Idle time is left out. */
  isBusy: boolean;
  /** Functions whose time counts in their callers. */
  hidden: readonly number[];
}

export const noFolds: Folds = { isBusy: false, hidden: [] };

export const isFolded = ({ isBusy, hidden }: Folds) => isBusy || hidden.length > 0;

/** Samples keep their places in time; those that are left out have no node, and no weight in sums. */
export function fold(profile: Profile, folds: Folds): Profile {
  if (!isFolded(folds)) return profile;
  const { functions, interval, time, weight } = profile;
  const isGone = new Uint8Array(functions.length);
  for (const fn of folds.hidden) isGone[fn] = 1;
  const nodes = new Nodes(Infinity);
  const kept = new Int32Array(profile.fn.length); // the node of each node
  for (let n = 0; n < kept.length; n++) {
    const caller = profile.parent[n] < 0 ? -1 : kept[profile.parent[n]];
    kept[n] = isGone[profile.fn[n]] ? caller : nodes.nodeOf(caller, profile.fn[n]);
  }
  const self = new Float64Array(nodes.count);
  const node = profile.node.slice();
  const line = profile.line.slice();
  for (let i = 0; i < node.length; i++) {
    const n = node[i];
    if (n < 0) continue;
    const fn = profile.fn[n];
    node[i] = folds.isBusy && functions[fn].kind === IDLE ? HIDDEN : kept[n];
    if (isGone[fn]) line[i] = 0; // it is a line of another file
    if (node[i] >= 0) self[node[i]] += weight[i];
  }
  const { depth, fn, renamed } = heavyFirst(nodes, self);
  for (let i = 0; i < node.length; i++) if (node[i] >= 0) node[i] = renamed[node[i]];
  return new Profile({ interval, functions, depth, fn, time, node, line, weight });
}
