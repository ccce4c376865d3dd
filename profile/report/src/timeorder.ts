// Calls in order of time. A million samples have tens of millions of boxes, so none is
// laid out in advance: they are computed as they become visible.
import { pixelAfter } from "./bands";
import type { Box, Layers, Put, Sight } from "./layers";
import { firstAfter, type Profile } from "./profile";

export class TimeOrder implements Layers {
  readonly depth: number;
  readonly width: number;
  /** How many calls of each sample, from the outermost, continue from the previous one. */
  private readonly goesOn: Int32Array;
  /** The least of these in each block of samples. */
  private readonly least: Int32Array;

  constructor(private readonly profile: Profile) {
    this.depth = profile.deepest;
    this.width = profile.end;
    this.goesOn = goingOn(profile);
    this.least = new Int32Array(Math.ceil(this.goesOn.length / block));
    for (let b = 0; b < this.least.length; b++) this.least[b] = leastOf(this.goesOn, b * block, Math.min(this.goesOn.length, (b + 1) * block));
  }

  draw({ from, to, step, first, past }: Sight, put: Put) {
    const { profile } = this;
    const { time, node, depth, parent, fn } = profile;
    const start = new Float64Array(past); // of the boxes that are open, by depth
    const called = new Int32Array(past);
    let open = 0; // how many there are
    const close = (down: number, at: number) => {
      for (; open > down; open--) if (open > first) put(open - 1, start[open - 1], at, called[open - 1]);
    };
    let ended = from;
    for (let i = profile.after(from), common = 0; i < time.length && profile.began(i) < to; ) {
      close(Math.min(open, common), ended);
      const [began, n] = [profile.began(i), node[i]];
      const down = n < 0 ? 0 : Math.min(depth[n] + 1, past);
      for (let at = n; at >= 0 && depth[at] >= open; at = parent[at]) {
        if (depth[at] >= down) continue;
        start[depth[at]] = began;
        called[depth[at]] = fn[at];
      }
      open = Math.max(open, down);
      ended = time[i];
      // Calls that end within this pixel would not be seen.
      const next = time[i] - began >= step ? i + 1 : Math.max(i + 1, firstAfter(time, pixelAfter(began, from, step), i));
      common = this.goingOnTo(i + 1, next);
      i = next;
    }
    close(0, ended);
  }

  /** How many calls continue from before one sample up to another. */
  private goingOnTo(from: number, to: number): number {
    const past = Math.min(to + 1, this.goesOn.length);
    const [first, last] = [Math.ceil(from / block), Math.floor(past / block)]; // of the blocks in between
    if (first >= last) return leastOf(this.goesOn, from, past);
    return Math.min(leastOf(this.goesOn, from, first * block), leastOf(this.least, first, last), leastOf(this.goesOn, last * block, past));
  }

  at(depth: number, place: number, step: number): Box | null {
    const { profile } = this;
    for (let i = profile.after(place); i < profile.node.length && profile.began(i) < place + step; i++) {
      if (this.reaches(i, depth)) return this.boxOf(depth, i);
    }
    return null;
  }

  neighbour({ depth, i, end }: Box, by: 1 | -1): Box | null {
    const { node } = this.profile;
    let at = by > 0 ? this.profile.after(end) : i - 1;
    while (at >= 0 && at < node.length && !this.reaches(at, depth)) at += by;
    return at >= 0 && at < node.length ? this.boxOf(depth, at) : null;
  }

  again({ depth, start, end, fn }: Box, _older: Layers, shift: number): Box | null {
    if (!LIVE) return null;
    const box = this.at(depth, (start + end) / 2 - shift, 0);
    return box?.fn === fn ? box : null;
  }

  private reaches(i: number, depth: number): boolean {
    const n = this.profile.node[i];
    return depth >= 0 && n >= 0 && this.profile.depth[n] >= depth;
  }

  /** The box that a sample is part of; its number is its first sample. */
  private boxOf(depth: number, sample: number): Box {
    const { profile, goesOn } = this;
    let n = profile.node[sample];
    while (profile.depth[n] > depth) n = profile.parent[n];
    let [i, last] = [sample, sample];
    while (goesOn[i] > depth) i--;
    while (last + 1 < goesOn.length && goesOn[last + 1] > depth) last++;
    return { depth, i, start: profile.began(i), end: profile.time[last], fn: profile.fn[n] };
  }
}

const block = 256;

function leastOf(numbers: Int32Array, from: number, past: number): number {
  let least = Infinity;
  for (let i = from; i < past; i++) if (numbers[i] < least) least = numbers[i];
  return least;
}

function goingOn(profile: Profile): Int32Array {
  const { node, parent, depth, time } = profile;
  const goesOn = new Int32Array(node.length);
  for (let i = 1; i < node.length; i++) {
    let [a, b] = [node[i - 1], node[i]];
    if (profile.began(i) > time[i - 1]) continue;
    while (a !== b) {
      if (a < 0 || b < 0) a = b = -1;
      else if (depth[a] > depth[b]) a = parent[a];
      else if (depth[a] < depth[b]) b = parent[b];
      else [a, b] = [parent[a], parent[b]];
    }
    goesOn[i] = a < 0 ? 0 : depth[a] + 1;
  }
  return goesOn;
}
