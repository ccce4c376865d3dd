// The samples of all sources in order of time: growing columns. Beyond the most that may
// be held the oldest are forgotten, many at a time, so that it is rarely done.
import { longer } from "../nodes";

export interface Sample {
  /** Milliseconds since the epoch. */
  time: number;
  node: number;
  line: number;
  /** Microseconds, because sources have intervals of their own. */
  weight: number;
  source: number;
}

/** So many samples are held at most, and so many new ones wait to be put in order. */
export const mostSamples = 1_000_000;
const mostNew = 1 << 17;

class Rows {
  count = 0;
  constructor(
    public time = new Float64Array(1 << 10),
    public node = new Int32Array(1 << 10),
    public line = new Int32Array(1 << 10),
    public weight = new Int32Array(1 << 10),
    public source = new Uint16Array(1 << 10),
  ) {}

  grow(count: number) {
    while (this.time.length < count) {
      this.time = longer(this.time);
      this.node = longer(this.node);
      this.line = longer(this.line);
      this.weight = longer(this.weight);
      this.source = longer(this.source);
    }
  }

  set(at: number, from: Rows, i: number) {
    this.time[at] = from.time[i];
    this.node[at] = from.node[i];
    this.line[at] = from.line[i];
    this.weight[at] = from.weight[i];
    this.source[at] = from.source[i];
  }

  /** Keeps some rows, in order. */
  keep(wanted: (i: number) => boolean) {
    let kept = 0;
    for (let i = 0; i < this.count; i++) if (wanted(i)) this.set(kept++, this, i);
    this.count = kept;
  }

  forget(first: number) {
    for (const column of [this.time, this.node, this.line, this.weight, this.source]) column.copyWithin(0, first, this.count);
    this.count -= first;
  }
}

export class Held {
  readonly rows = new Rows();
  private readonly fresh = new Rows();
  /** How many samples were forgotten. */
  forgotten = 0;

  /** The epoch is in milliseconds since 1970: the first beginning that was known, so that times keep their digits. */
  constructor(
    private readonly most = mostSamples,
    public epoch = 0,
  ) {}

  add(sample: Sample) {
    const { fresh } = this;
    if (fresh.count >= Math.min(mostNew, this.most)) this.settle();
    fresh.grow(fresh.count + 1);
    const i = fresh.count++;
    fresh.time[i] = sample.time;
    fresh.node[i] = sample.node;
    fresh.line[i] = sample.line;
    fresh.weight[i] = sample.weight;
    fresh.source[i] = sample.source;
  }

  /** Puts what is new in its place: from the back, as far as it goes. */
  settle() {
    const { rows, fresh } = this;
    const order = Uint32Array.from({ length: fresh.count }, (_, i) => i);
    if (order.some((i) => i > 0 && fresh.time[i] < fresh.time[i - 1])) order.sort((a, b) => fresh.time[a] - fresh.time[b] || a - b);
    const all = rows.count + fresh.count;
    rows.grow(all);
    let old = rows.count - 1;
    for (let at = all - 1, next = order.length - 1; next >= 0; at--) {
      if (old >= 0 && rows.time[old] > fresh.time[order[next]]) rows.set(at, rows, old--);
      else rows.set(at, fresh, order[next--]);
    }
    rows.count = all;
    fresh.count = 0;
    if (all <= this.most) return;
    const past = all - Math.floor(this.most * 0.9);
    rows.forget(past);
    this.forgotten += past;
  }

  /** Forgets the samples of some sources. */
  clear(isGone: (source: number) => boolean) {
    this.settle();
    this.rows.keep((i) => !isGone(this.rows.source[i]));
    if (this.rows.count === 0) this.forgotten = 0;
  }
}
