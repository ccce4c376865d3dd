// Moments that are marked: slow interactions, long tasks, and what the page itself marks and measures.
import { checks } from "../core/flag";
import { Idle, type SampleKind } from "../core/kinds";
import { now } from "../core/real";
import { micros } from "./encoder";
import type { Mark } from "./protocol";

/** Interactions that take less are not slow, tasks that take longer are long: in milliseconds. */
const slow = 100;
const long = 50;
/** How many marks there may be in a second, and how long their texts. */
const perSecond = 50;
const longest = 300;

const { PerformanceObserver } = globalThis;
const types: readonly string[] = PerformanceObserver?.supportedEntryTypes ?? [];

/** PerformanceEventTiming, where a browser has it. */
interface Timing extends PerformanceEntry {
  processingStart: number;
  processingEnd: number;
  interactionId?: number;
  target?: Element | null;
}

export class Moments {
  private marks: Mark[] = [];
  private ends: (() => void)[] = []; // of observers
  private second = -1;
  private count = 0;
  private busy: { from: number; to: number } | undefined;
  private attached: { mark: Mark; data: unknown }[] = []; // to marks that were not taken yet

  /** Started by performance.now(). */
  constructor(private readonly started: number) {
    this.observe("mark", (entry) => this.add("mark", entry, detailOf(entry)));
    this.observe("measure", (entry) => this.add("measure", entry, detailOf(entry)));
    checks.attach = (what, name, data) => this.attach(what, name, data);
    this.observe("longtask", (entry) => this.add("long-task", { ...position(entry), name: "task" }));
    this.observe("event", (entry, all) => isLongest(entry, all) && this.interaction(entry as Timing), { durationThreshold: slow });
    this.observe("first-input", (entry) => {
      if (entry.duration < slow || !types.includes("event")) this.interaction(entry as Timing, "first input: ");
    });
  }

  /** Where a browser does not report long tasks, ticks that found the thread busy in a row show them. */
  see(time: number, due: number, kind: SampleKind) {
    if (types.includes("longtask")) return;
    const { busy } = this;
    if (busy && kind !== Idle && due - busy.to < 1000) busy.to = time;
    else {
      this.endBusy();
      if (kind !== Idle) this.busy = { from: due, to: time };
    }
  }

  /** The marks since the last time. */
  take(): Mark[] {
    const { marks, attached } = this;
    for (const { mark, data } of attached) mark.detail = plain(data);
    this.marks = [];
    this.attached = [];
    return marks;
  }

  end() {
    checks.attach = undefined;
    for (const end of this.ends) end();
    this.endBusy();
    this.countDropped();
  }

  /** The program fills the object that frame() returns after the call, so it is read when the mark is taken. */
  private attach(what: Mark["what"], name: string, data: unknown) {
    const mark = this.add(what, { startTime: now(), duration: 0, name });
    if (mark) this.attached.push({ mark, data });
  }

  private endBusy() {
    const { from, to } = this.busy ?? { from: 0, to: 0 };
    this.busy = undefined;
    if (to - from > long) this.add("long-task", { startTime: from, duration: to - from, name: "busy" }, "as ticks found it");
  }

  private interaction(entry: Timing, prefix = "") {
    if (entry.interactionId === 0) return; // a move of the mouse, and the like
    const { startTime, duration, processingStart, processingEnd } = entry;
    const parts = [processingStart - startTime, processingEnd - processingStart, startTime + duration - processingEnd].map((ms) => Math.max(0, Math.round(ms)));
    const detail = `${nameOf(entry.target)}waited ${parts[0]} ms, handled ${parts[1]} ms, drawn ${parts[2]} ms later`;
    this.add("interaction", { ...position(entry), name: prefix + entry.name }, detail);
  }

  private observe(type: string, see: (entry: PerformanceEntry, all: PerformanceEntryList) => void, options: object = {}) {
    if (!types.includes(type)) return;
    const seeAll = (entries: PerformanceEntryList) => {
      try {
        for (const entry of entries) see(entry, entries);
      } catch {
        // Entries that the page has changed.
      }
    };
    const observer = new PerformanceObserver((list) => seeAll(list.getEntries()));
    observer.observe({ type, ...options });
    this.ends.push(() => {
      seeAll(observer.takeRecords());
      observer.disconnect();
    });
  }

  private add(what: Mark["what"], { startTime, duration, name }: Pick<PerformanceEntry, "startTime" | "duration" | "name">, detail = ""): Mark | undefined {
    const time = startTime - this.started;
    if (time + duration < 0) return; // from before the profile
    const second = Math.floor(time / 1000);
    if (second > this.second) {
      this.countDropped();
      this.second = second;
    }
    if (++this.count > perSecond) return;
    const mark: Mark = { time: micros(time), what, name: String(name).slice(0, longest) };
    if (duration > 0) mark.duration = micros(time + duration) - mark.time;
    if (detail) mark.detail = detail.slice(0, longest);
    this.marks.push(mark);
    return mark;
  }

  private countDropped() {
    const dropped = this.count - perSecond;
    this.count = 0;
    if (dropped > 0) this.marks.push({ time: micros((this.second + 1) * 1000), what: "note", name: `${dropped} more marks in one second` });
  }
}

/** Several events are one interaction: the first of those that were handled longest is what people did. */
function isLongest(entry: PerformanceEntry, all: PerformanceEntryList): boolean {
  const handled = ({ processingStart, processingEnd }: Timing) => processingEnd - processingStart;
  const { interactionId } = entry as Timing;
  const same = interactionId ? (all as Timing[]).filter((other) => other.interactionId === interactionId) : [entry as Timing];
  return entry === same.reduce((longest, other) => (handled(other) > handled(longest) ? other : longest));
}

function position({ startTime, duration }: PerformanceEntry) {
  return { startTime, duration };
}

/** What the page says of a mark or a measure, if that is plain. */
function detailOf(entry: PerformanceEntry): string {
  const { detail } = entry as { detail?: unknown };
  return typeof detail === "string" || typeof detail === "number" ? String(detail) : "";
}

/** What a program has attached, by its plain properties: nothing of the program runs here. */
function plain(data: unknown): string {
  const own = Object.entries(Object.getOwnPropertyDescriptors(Object(data))).slice(0, 20);
  const parts = own.filter(([, { value }]) => /string|number|boolean/.test(typeof value)).map(([name, { value }]) => `${name}: ${value}`);
  return parts.join(", ").slice(0, longest);
}

/** An element as people find it: `button#save `. */
function nameOf(target: Element | null | undefined): string {
  return target?.localName ? `${target.localName}${typeof target.id === "string" && target.id ? "#" + target.id : ""} ` : "";
}
