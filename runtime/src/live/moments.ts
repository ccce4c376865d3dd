// Moments that are marked: slow interactions, long tasks, and the page's own marks and measures.
import { checks } from "../core/flag";
import type { SampleKind } from "../core/kinds";
import { now } from "../core/real";
import { observeEntries, Rate, type Source } from "../interactions/entries";
import { eventOf, followEvents, type Timing } from "../interactions/events";
import { tidy, type Found } from "../interactions/found";
import { foundOf, Groups } from "../interactions/groups";
import { nameOf } from "../interactions/target";
import { Busy, busyTask, followTasks, tellsTasks } from "../interactions/tasks";
import { followTiming } from "../interactions/timing";
import { micros } from "./encoder";
import type { Mark } from "./protocol";

/** Interactions that take less are not slow, in milliseconds. */
const slow = 100;
/** How many marks there may be in a second, and how long their texts. */
const perSecond = 50;
const longest = 300;

export class Moments {
  private marks: Mark[] = [];
  /** Of interactions that may still get longer. */
  private readonly marked = new WeakMap<Found, Mark>();
  private sources: Source[];
  private second = -1;
  private count = 0;
  private readonly busy = new Busy((from, to) => this.add(busyTask(from, to)));
  private attached: { mark: Mark; data: unknown }[] = []; // to marks that were not taken yet

  /** Started by performance.now(). */
  constructor(private readonly started: number) {
    const all = new Rate(Infinity); // add() has its own
    const see = (found: Found, before?: Found) => this.see(found, before);
    this.sources = [...followTiming(all, see), ...followTasks(all, see), ...followEvents(new Groups(all, see), undefined, slow)];
    const first = observeEntries<Timing>("first-input", (entry) => {
      if (entry.duration < slow) this.see(foundOf({ ...eventOf(entry), target: nameOf(entry.target), type: `first input: ${entry.name}` }));
    });
    if (first) this.sources.push(first);
    checks.attach = (what, name, data) => this.attach(what, name, data);
  }

  /** Where a browser does not report long tasks, ticks that found the thread busy in a row show them. */
  tick(time: number, due: number, kind: SampleKind) {
    if (!tellsTasks) this.busy.see({ time, due, kind, missed: 0 });
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
    for (const { end } of this.sources) end();
    this.busy.end();
    this.countDropped();
  }

  /** The program fills the object that frame() returns after the call, so it is read when the mark is taken. */
  private attach(what: Mark["what"], name: string, data: unknown) {
    const mark = this.add(tidy({ what, name, time: now() }));
    if (mark) this.attached.push({ mark, data });
  }

  private see(found: Found, before?: Found) {
    const last = before && this.marked.get(before);
    const mark = this.add(found, last && this.marks.includes(last) ? last : undefined);
    if (mark) this.marked.set(found, mark);
  }

  /** The mark of what was found; it takes the place of another one if that is given. */
  private add(found: Found, instead?: Mark): Mark | undefined {
    const time = found.time - this.started;
    if (time + found.duration < 0) return; // from before the profile
    const second = Math.floor(time / 1000);
    if (second > this.second) {
      this.countDropped();
      this.second = second;
    }
    if (!instead && ++this.count > perSecond) return;
    const mark: Mark = { time: micros(time), what: found.what as Mark["what"], name: found.name };
    if (found.duration > 0) mark.duration = micros(time + found.duration) - mark.time;
    const detail = found.what === "interaction" ? describe(found) : found.detail;
    if (detail) mark.detail = detail.slice(0, longest);
    if (instead) this.marks[this.marks.indexOf(instead)] = mark;
    else this.marks.push(mark);
    return mark;
  }

  private countDropped() {
    const dropped = this.count - perSecond;
    this.count = 0;
    if (dropped > 0) this.marks.push({ time: micros((this.second + 1) * 1000), what: "note", name: `${dropped} more marks in one second` });
  }
}

/** The parts of an interaction, for people. */
function describe({ target, inputDelay, processing, presentation }: Found): string {
  const [waited, handled, drawn] = [inputDelay, processing, presentation].map((ms) => Math.round(ms!));
  return `${target ? target + " " : ""}waited ${waited} ms, handled ${handled} ms, drawn ${drawn} ms later`;
}

/** The data that a program has attached, by its plain properties: nothing of the program runs here. */
function plain(data: unknown): string {
  const own = Object.entries(Object.getOwnPropertyDescriptors(Object(data))).slice(0, 20);
  const parts = own.filter(([, { value }]) => /string|number|boolean/.test(typeof value)).map(([name, { value }]) => `${name}: ${value}`);
  return parts.join(", ").slice(0, longest);
}
