// How long interactions took: INP as web-vitals defines it, and the 75th percentile.
// Memory is bounded however many there are.
import { builtin } from "../core/builtin";

/** Interactions that can become INP, and the least latency that counts: both as in web-vitals. */
const candidates = 10;
const least = 40;
/** One of so many interactions is ignored. */
const ignored = 50;
/** Ids of interactions are that far apart, where they are. */
const step = 7;
/** Event Timing's precision, in milliseconds, and the latency of interactions that it does not report. */
const precision = 8;
/** Percentiles do not distinguish longer latencies, in milliseconds. */
const longest = 10_000;

/** An interaction and its longest event. */
interface Interaction {
  id: number;
  latency: number;
}

/** No page has more interactions, or ids of them; no interaction is longer, in milliseconds. */
const limit = 1e9;

const performance = builtin("performance") as { interactionCount?: number } | undefined;

export class Latencies {
  /** Longest first. */
  private longest: Interaction[] = [];
  /** The last ones, which may get longer. */
  private latest: Interaction[] = [];
  /** How many interactions have a latency, by multiples of the precision. */
  private readonly histogram = new Map<number, number>();
  private known = 0;
  private lowest = Infinity;
  private highest = 0;
  /** Before this page view: the page came back from the cache. */
  private before = 0;
  private restored = false;
  /** Before this began. */
  private readonly atStart: number;

  constructor() {
    this.atStart = this.total();
  }

  /** An event of an interaction; an id of 0 is none. isFirst: of the page, reported however short. */
  see(id: number, duration: number, isFirst = false) {
    if (!(id >= 0 && id < limit && duration >= 0 && duration < limit)) return;
    if (id) {
      this.lowest = Math.min(this.lowest, id);
      this.highest = Math.max(this.highest, id);
      this.count(id, duration);
    }
    if (isFirst || (id && duration >= least)) this.rank(id, duration);
  }

  /** The page is shown again: INP is that of a page view. */
  restore() {
    this.longest = [];
    this.before = this.total();
    this.restored = true;
  }

  /** Undefined before the first interaction, and where the browser does not report them. */
  get inp(): number | undefined {
    const count = this.total() - this.before;
    const found = this.longest[Math.min(this.longest.length - 1, Math.floor(count / ignored))];
    return found ? found.latency : this.restored && count > 0 ? precision : undefined;
  }

  /** Of this page, since the start. */
  get interactions(): number {
    return Math.max(this.known, this.total() - this.atStart);
  }

  get p75(): number | undefined {
    const { interactions } = this;
    if (interactions === 0) return undefined;
    let left = interactions * 0.25;
    for (const multiple of [...this.histogram.keys()].sort((a, b) => b - a)) {
      left -= this.histogram.get(multiple)!;
      if (left < 0) return multiple * precision;
    }
    return precision;
  }

  /** Interactions of the page: the browser's count, or by their ids. */
  private total(): number {
    try {
      const count = performance!.interactionCount!;
      if (count >= 0 && count < limit) return Math.floor(count);
    } catch {
      // The page has replaced it.
    }
    return this.highest ? Math.floor((this.highest - this.lowest) / step) + 1 : 0;
  }

  private rank(id: number, latency: number) {
    const same = this.longest.find((other) => other.id === id);
    if (same) same.latency = Math.max(same.latency, latency);
    else this.longest.push({ id, latency });
    this.longest.sort((a, b) => b.latency - a.latency).splice(candidates);
  }

  /** An event of an interaction, for the percentile only. */
  count(id: number, latency: number) {
    const same = this.latest.find((other) => other.id === id);
    if (same) {
      if (latency <= same.latency) return;
      this.add(same.latency, -1);
      same.latency = latency;
    } else {
      this.known++;
      this.latest.push({ id, latency });
      if (this.latest.length > candidates) this.latest.shift();
    }
    this.add(latency, 1);
  }

  private add(latency: number, by: number) {
    const multiple = Math.round(Math.min(latency, longest) / precision);
    this.histogram.set(multiple, (this.histogram.get(multiple) ?? 0) + by);
  }
}
