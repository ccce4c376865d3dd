// Makes slices: something slow waits until other events of the same time have been told,
// too, and is then cut out of the rolling profile, in idle time.
import { builtin } from "../core/builtin";
import { later } from "../core/timers";
import type { ProfilerTrace, TraceMark } from "../recording/parts";
import { cleanText } from "../trace/clean";
import { Rate } from "./entries";
import { overlap, slowOf, type Found } from "./found";
import { guarded, now } from "./guard";
import { markOf, type Slice, type Slow } from "./slice";

/** Entries of the same time are delivered within so many milliseconds of each other. */
const settling = 100;
/** How long a slice waits for idle time, in milliseconds: a page that draws nothing may have none. */
const patience = 250;
/** How many slow things may wait, how many marks are kept, and how many a slice has. */
const maxPending = 8;
const maxMarks = 256;
const maxInSlice = 50;
/** How many slices are made in a second. */
const perSecond = 5;

/** The most telling comes first. */
const ranks: Slow[] = ["interaction", "navigation", "load", "mark", "long-frame", "long-task"];
const rank = (found: Found) => ranks.indexOf(slowOf(found)!);

/** The rolling profile. */
export interface Ring {
  /** Its start, by performance.now(). */
  readonly started: number;
  cut(from: number, to: number): Promise<ProfilerTrace>;
}

const requestIdleCallback = builtin("requestIdleCallback");

export class Slicer {
  /** Those that wait for a slice; ripe: all events of their time will have been told when the timer fires. */
  private pending: { found: Found; ripe: boolean }[] = [];
  private marks: Found[] = [];
  /** The slices of the last seconds, and the finds that they show. */
  private made: { found: Found; slice: Slice }[] = [];
  private planned = false;
  private making: Promise<void> = Promise.resolve();
  private readonly rate = new Rate(perSecond);
  private lost = 0;

  constructor(
    private readonly ring: Ring,
    /** Of the rolling profile, in milliseconds. */
    private readonly length: number,
    /** Has sources look at what has not been delivered yet. */
    private readonly read: () => void,
    private readonly give: (slice: Slice) => void,
  ) {}

  /** Slow things for which there was no room, or no time. */
  get dropped(): number {
    return this.lost + this.rate.dropped;
  }

  /** Keeps a mark for the slices of its time. */
  mark(found: Found, before?: Found) {
    const oldest = now() - this.length;
    this.marks = this.marks.filter((mark) => mark !== before && mark.time + mark.duration >= oldest).slice(1 - maxMarks);
    this.marks.push(found);
  }

  /** A slice of this is to be made. */
  slow(found: Found, before?: Found) {
    if (found.time + found.duration <= this.ring.started) return; // nothing of it is in the profile
    this.pending = this.pending.filter((other) => other.found !== before);
    this.pending.push({ found, ripe: false });
    if (this.pending.length > maxPending) this.merge();
    if (this.pending.length > maxPending) {
      const [shortest] = this.pending.slice().sort((a, b) => a.found.duration - b.found.duration);
      this.pending.splice(this.pending.indexOf(shortest), 1);
      this.lost++;
    }
    this.plan();
  }

  private plan() {
    if (this.planned) return;
    this.planned = true;
    for (const waiting of this.pending) waiting.ripe = true;
    const make = () => {
      this.planned = false;
      this.flush().catch(() => {});
    };
    const idly = guarded(() => (requestIdleCallback ? requestIdleCallback(guarded(make), { timeout: patience }) : make()));
    later(idly, settling);
  }

  /** Makes slices of what is ripe, or of all. */
  private flush(all = false): Promise<void> {
    this.read();
    return (this.making = this.making.then(() => this.makeAll(all)));
  }

  private async makeAll(all: boolean) {
    for (;;) {
      this.merge();
      const next = this.pending.findIndex(({ ripe }) => ripe || all);
      if (next < 0) break;
      const [{ found }] = this.pending.splice(next, 1);
      const slice = this.rate.admits(now()) && (await this.make(found));
      if (!slice) continue;
      this.made.push({ found, slice });
      this.give(slice);
    }
    this.forget();
    if (this.pending.length) this.plan();
  }

  /** Keeps the most telling of the findings at the same time; the others are its marks. */
  private merge() {
    const kept = this.made.map(({ found }) => found);
    const worstFirst = this.pending.slice().sort((a, b) => rank(a.found) - rank(b.found) || b.found.duration - a.found.duration);
    this.pending = worstFirst.filter(({ found }) => {
      if (kept.some((other) => covers(other, found))) return false;
      return kept.push(found);
    });
  }

  private forget() {
    const oldest = now() - this.length;
    this.made = this.made.filter(({ found }) => found.time + found.duration >= oldest).slice(-maxPending);
  }

  /** The slices of what is still in the profile; ongoing has not ended. */
  async all(ongoing?: Found): Promise<Slice[]> {
    await this.flush(true);
    this.forget();
    const slices = this.made.map(({ slice }) => slice);
    const last = ongoing && !this.made.some(({ found }) => overlap(found, ongoing) >= ongoing.duration / 2) && (await this.make(ongoing));
    return last ? [...slices, last] : slices;
  }

  /** Undefined if no profile can be read. */
  private async make(found: Found): Promise<Slice | undefined> {
    const { name, target, detail, time: start, duration, inputDelay, processing, presentation } = clean(found);
    const unknown = [...found.unknown];
    const end = start + duration;
    const early = Math.round(Math.min(end, this.ring.started) - start);
    if (early > 0) unknown.push(`its first ${early} ms: the profile began later`);
    const forgotten = Math.round(now() - this.length - start);
    if (forgotten > 0) unknown.push(`its first ${Math.min(forgotten, Math.round(duration))} ms: the profile keeps ${Math.round(this.length / 1000)} s`);
    try {
      const trace = await this.ring.cut(start, end);
      if (!trace.samples.some(({ stackId }) => stackId !== undefined)) unknown.push("its functions: no check ran in it");
      const slice: Slice = { what: slowOf(found)!, name, target, start, duration, inputDelay, processing, presentation, unknown, trace };
      const own = markOf(slice);
      if (detail) own.detail = detail;
      if (trace.fieldprof) trace.fieldprof.marks = [own, ...this.marksOf(found)];
      return slice;
    } catch {
      return undefined;
    }
  }

  private marksOf(found: Found): TraceMark[] {
    const others = this.marks.filter((mark) => mark !== found && overlap(mark, found) >= 0).slice(-maxInSlice);
    return others.sort((a, b) => a.time - b.time).map(bare);
  }
}

/** Whether one slice will do for both: of the first, which tells more. */
function covers(first: Found, second: Found): boolean {
  const more = rank(second) - rank(first) || first.duration - second.duration;
  return more >= 0 && overlap(first, second) >= Math.max(second.duration / 2, 1);
}

/** A mark whose texts may leave the page. */
function clean(found: Found): Found {
  const { name, target, detail } = found;
  const cleaned = { ...found, name: cleanText(name) };
  if (target) cleaned.target = cleanText(target);
  if (detail) cleaned.detail = cleanText(detail);
  return cleaned;
}

/** A mark as traces have it: a moment has no duration. */
function bare(found: Found): TraceMark {
  const mark: Partial<Found> = clean(found);
  delete mark.unknown;
  if (found.duration === 0) delete mark.duration;
  return mark as TraceMark;
}
