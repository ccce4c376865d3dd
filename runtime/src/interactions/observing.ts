// Follows what is slow in a page, and makes slices of it.
import { builtin } from "../core/builtin";
import { guarded, now } from "./guard";
import { Rate, type Source } from "./entries";
import { followEvents, tellsInteractions } from "./events";
import { slowOf, type Found } from "./found";
import { followFrames } from "./frames";
import { Groups } from "./groups";
import { Latencies } from "./latencies";
import { listen } from "./listeners";
import { followLoad, followRoutes } from "./navigations";
import type { Settings } from "./settings";
import { roll, type Rolling } from "./ring";
import type { Slice, Slow } from "./slice";
import { Slicer } from "./slicer";
import { Busy, busyTask, followTasks, long, tellsTasks } from "./tasks";
import { followTiming } from "./timing";

/** How much happened, whether it was slow or not. */
export interface Counts {
  /** Of this page since the start. */
  interactions: number;
  /** How many were slow, by what they are. */
  slow: Partial<Record<Slow, number>>;
  longTasks: number;
  /** Interaction to Next Paint of this page view, as web-vitals defines it, in milliseconds. */
  inp?: number;
  /** The 75th percentile of the interactions' durations, in milliseconds. */
  p75?: number;
  /** Entries that were not looked at and slices that were not made, because there were too many. */
  dropped: number;
}

/** How many things may be looked at in a second, of the browser's and of the page's. */
const perSecond = 50;

const document = builtin("document");
const addEventListener = builtin("addEventListener")!;
const removeEventListener = builtin("removeEventListener")!;

export class Observation {
  private readonly latencies = new Latencies();
  private readonly rates = { browser: new Rate(perSecond), page: new Rate(perSecond) };
  private readonly slow: Counts["slow"] = {};
  private longTasks = 0;
  private readonly sources: Source[] = [];
  private readonly ring: Rolling | undefined;
  private readonly slicer: Slicer | undefined;
  private isOver = false;
  private readonly busy = new Busy(guarded((from, to) => !tellsTasks && this.see(busyTask(from, to))));
  /** When the page was last hidden or frozen. */
  private left = document?.hidden ? now() : NaN;

  constructor(private readonly settings: Settings) {
    try {
      this.ring = roll(settings.interval, settings.length, (entry) => this.busy.see(entry), {
        failed: () => settings.note("no slices are made: trace.js was not loaded"),
        over: (why) => this.end(why),
      });
      this.slicer = new Slicer(this.ring, settings.length, () => this.read(), settings.onslow);
    } catch {
      settings.note("no slices are made: there is no runtime here, load runtime.js first");
    }
    this.follow();
  }

  private follow() {
    const see = guarded((found: Found, before?: Found) => this.see(found, before));
    const { latencies } = this;
    const { browser, page } = this.rates;
    const groups = new Groups(browser, see);
    const starts = [
      () => (tellsInteractions ? followEvents(groups, latencies) : listen(groups, latencies)),
      () => followFrames(browser, see),
      () => followTasks(browser, see),
      () => followLoad(see),
      () => followRoutes(page, see),
      () => followTiming(page, see),
      () => this.followPresence(),
    ];
    for (const start of starts) guarded(() => this.sources.push(...start()))();
  }

  /** While the page is hidden or frozen no ticks are raised, and time passes. */
  private followPresence(): Source[] {
    if (!document) return [];
    const turn = guarded((event: Event) => {
      if (!event.isTrusted) return;
      this.busy.end();
      if (document.hidden || event.type === "freeze") this.left = now();
      if (event.type === "pageshow" && (event as PageTransitionEvent).persisted) this.latencies.restore();
    });
    const types = ["visibilitychange", "freeze", "resume", "pageshow"];
    for (const type of types) addEventListener(type, turn, true);
    return [
      {
        end() {
          for (const type of types) removeEventListener(type, turn, true);
        },
      },
    ];
  }

  private see(found: Found, before?: Found) {
    const what = slowOf(found);
    if (this.wasAway(found)) {
      if (what === "long-task" || what === "long-frame") return; // it was frozen, not slow
      found.unknown.push("what happened in part of it: the page was hidden or frozen");
    }
    this.slicer?.mark(found, before);
    if (!what) return;
    if (what === "long-task" && found.duration >= long) this.longTasks++;
    const threshold = this.settings.thresholds[what];
    if (found.duration < threshold) return;
    if (!(before && before.duration >= threshold)) this.slow[what] = (this.slow[what] ?? 0) + 1;
    if (!this.isOver) this.slicer?.slow(found, before);
  }

  /** The rolling profile has ended itself: of what comes, only counts are made. */
  private end(why: string) {
    this.isOver = true;
    this.settings.note(`no more slices are made: ${why}`);
    this.settings.over();
  }

  private wasAway({ time, duration }: Found): boolean {
    const from = this.left;
    return from > time && from < time + duration;
  }

  private read() {
    for (const { read } of this.sources) read?.();
  }

  get counts(): Counts {
    this.read();
    const { slow, longTasks, rates, slicer } = this;
    const { interactions, inp, p75 } = this.latencies;
    const dropped = rates.browser.dropped + rates.page.dropped + (slicer?.dropped ?? 0);
    return { interactions, slow: { ...slow }, longTasks, inp, p75, dropped };
  }

  async slices(): Promise<Slice[]> {
    const { ring, slicer, busy, settings } = this;
    ring?.read();
    const ongoing = busy.now;
    return slicer ? slicer.all(ongoing && ongoing.duration >= settings.thresholds["long-task"] ? ongoing : undefined) : [];
  }

  /** Ends, and gives what was slow until now. */
  async stop() {
    for (const source of this.sources.splice(0)) guarded(source.end)();
    this.ring?.stop();
    await this.slicer?.all();
  }
}
