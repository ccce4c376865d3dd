// Sends slow parts only: slices of a rolling profile, and counts. They are chosen while the
// page is shown, and leave when it is hidden or goes.
import type { Counts } from "../interactions/observing";
import type { ObserveOptions } from "../interactions/settings";
import type { Slice } from "../interactions/slice";
import type { ProfilerTrace } from "../recording/parts";
import type { Envelope } from "./envelope";
import type { Headings, Place, Series } from "./heading";
import type { Settings } from "./options";
import type { Outbox } from "./outbox";
import { lighten } from "./portion";
import { Reservoir } from "./reservoir";
import { overBudget, type Maker } from "./maker";

/** An observation, as the module of interactions has it. */
export interface Observing {
  readonly counts: Counts;
  slices(): Promise<Slice[]>;
  stop(): Promise<void>;
}

/** Loads that module. */
export type Load = () => Promise<{ observe(options: ObserveOptions): Observing }>;

/** Something slow, and where the page was when it happened. */
interface Found {
  slice: Slice;
  place: Place;
}

/** Loads and navigations are named by their paths. A page that says less of itself says it here, too. */
function renamed(trace: ProfilerTrace, page: string): ProfilerTrace {
  const { fieldprof } = trace;
  if (!fieldprof?.marks) return trace;
  const name = page.replace(/^\w+:\/\/[^/]*/, "") || "/";
  const marks = fieldprof.marks.map((mark) => (mark.what === "load" || mark.what === "navigation" ? { ...mark, name } : mark));
  return { ...trace, fieldprof: { ...fieldprof, marks } };
}

/** From the moment recording may begin until it may not. */
interface Watch {
  began: number;
  place: Place;
  series: Series;
  reservoir: Reservoir<Found>;
  /** The slices that onslow was given. */
  given: WeakSet<Slice>;
  /** The start of the slice that had not ended when the page was left. */
  ongoing?: number;
  /** Undefined while the module is loaded. */
  observing?: Observing;
  /** The counts that were last handed over, as JSON. */
  told: string;
}

/** Whether it is the same interaction, with an event that came later. */
function isLonger({ slice }: Found, { slice: old }: Found): boolean {
  return slice.what === "interaction" && old.what === "interaction" && slice.start < old.start + old.duration && old.start < slice.start + slice.duration;
}

export class Slices implements Maker {
  private watch: Watch | null = null;
  ended = false;

  constructor(
    private readonly settings: Settings,
    private readonly headings: Headings,
    private readonly outbox: Outbox,
    private readonly load: Load,
  ) {}

  get active() {
    return this.watch !== null;
  }

  begin() {
    const watch: Watch = {
      began: performance.now(),
      place: this.headings.place(),
      series: this.headings.series(),
      reservoir: new Reservoir<Found>(this.settings.slices!.perPage, ({ slice }) => slice.duration, isLonger),
      given: new WeakSet(),
      told: "",
    };
    this.watch = watch;
    void this.start(watch);
  }

  private async start(watch: Watch) {
    try {
      const { observe } = await this.load();
      if (this.watch !== watch) return;
      const { slices, sampleInterval } = this.settings;
      watch.observing = observe({
        thresholds: slices!.thresholds,
        sampleInterval: sampleInterval || 10,
        onslow: (slice) => this.offer(watch, slice),
        onnote: (text) => this.outbox.note(text),
        onover: () => this.end(watch),
      });
    } catch (error) {
      this.ended = true; // it would fail again
      if (this.watch === watch) this.watch = null;
      this.outbox.note("no slices", error);
    }
  }

  /** The rolling profile has exceeded its budget; so would another. */
  private end(watch: Watch) {
    if (this.watch !== watch) return;
    this.ended = true;
    this.outbox.note(overBudget);
    this.finish();
  }

  private offer({ given, reservoir }: Watch, slice: Slice) {
    given.add(slice);
    reservoir.offer({ slice, place: this.headings.place() });
  }

  /** Slices say where they were found, and the profile goes on. */
  moved() {}

  flush() {
    const { watch } = this;
    if (watch) this.hand(watch, watch.observing?.slices());
  }

  leave() {
    const { watch } = this;
    if (watch) this.hand(watch, watch.observing?.slices().then((slices) => this.offerOngoing(watch, slices)));
  }

  finish() {
    const { watch } = this;
    this.watch = null;
    if (watch) this.hand(watch, watch.observing?.stop());
  }

  /** Hands over what was chosen, and the counts if they are news, once the last slices are made. */
  private hand(watch: Watch, last: Promise<unknown> | undefined) {
    if (last) this.outbox.deliver("a slice", last.then(() => this.letters(watch)));
  }

  /** Offers slices that have not ended; it is unknown whether the page will see their ends. */
  private offerOngoing(watch: Watch, slices: Slice[]) {
    for (const slice of slices) {
      if (watch.given.has(slice) || watch.ongoing === slice.start) continue; // a page may leave by several events
      watch.ongoing = slice.start;
      this.offer(watch, slice);
    }
  }

  private letters(watch: Watch): Envelope[] {
    const { observing, reservoir, series, place, began } = watch;
    const counts = { ...observing!.counts };
    const told = JSON.stringify(counts);
    const letters = reservoir.take().map(({ item, weight }) => this.letter(series, item, weight, counts));
    if (letters.length === 0 && told !== watch.told) letters.push({ ...this.headings.next(series, place, began), counts });
    watch.told = told;
    return letters;
  }

  private letter(series: Series, { slice, place }: Found, weight: number, counts: Counts): Envelope {
    const { start, unknown, trace } = slice;
    const notes = unknown.length ? unknown.slice(0, 20) : undefined;
    const light = lighten(trace);
    return { ...this.headings.next(series, place, start), notes, slice: true, weight, counts, trace: this.settings.page ? renamed(light, place.page) : light };
  }
}
