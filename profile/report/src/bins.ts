// How the time of each pixel of the timeline was spent, by kind of function.
import { IDLE, kinds, PROGRAM } from "./columns";
import { HIDDEN, type Profile } from "./profile";

/** Width times the kinds. */
export function binsOf(profile: Profile, width: number): Float64Array {
  const { node, fn, time, functions } = profile;
  const kindOf = Int32Array.from(functions, ({ kind }) => kind);
  const bins = new Float64Array(width * kinds);
  const scale = width / (profile.end || 1);
  for (let i = 0; i < node.length; i++) {
    const kind = node[i] < 0 ? (node[i] === HIDDEN ? IDLE : PROGRAM) : kindOf[fn[node[i]]];
    const from = profile.began(i) * scale;
    const to = time[i] * scale;
    const first = Math.floor(from);
    if (to <= first + 1 && first < width) bins[first * kinds + kind] += to - from; // as almost all
    else for (let x = first; x < to && x < width; x++) bins[x * kinds + kind] += Math.min(to, x + 1) - Math.max(from, x);
  }
  return bins;
}
