// Profiles without a gap, in chunks.
import { cancel, later, type Timer } from "../core/timers";
import type { ProfilerTrace } from "../recording/parts";
import type { Envelope } from "./envelope";
import type { Headings, Series } from "./heading";
import type { Settings } from "./options";
import type { Outbox } from "./outbox";
import { overBudget, type Maker } from "./maker";

/** The standard's Profiler, the browser's or ours. */
interface Profiler {
  stop(): Promise<ProfilerTrace>;
  addEventListener(type: "samplebufferfull", hear: () => void): void;
}
type Constructor = new (options: { sampleInterval: number; maxBufferSize: number }) => Profiler;

/** The length of a page's first chunk, in milliseconds: visits are short. */
const firstChunk = 5000;
/** Paths that change faster than this, in milliseconds, share a chunk. */
const shortestPage = 5000;

/** A running profile. */
interface Chunk {
  profiler: Profiler;
  began: number; // performance.now
  envelope: Envelope;
  timer: Timer;
}

export class Chunks implements Maker {
  private chunk: Chunk | null = null;
  private readonly series: Series;
  ended = false;

  /** `mayRecord` says whether another chunk may follow. */
  constructor(
    private readonly settings: Settings,
    private readonly headings: Headings,
    private readonly outbox: Outbox,
    private readonly mayRecord: () => boolean,
  ) {
    this.series = headings.series();
  }

  get active() {
    return this.chunk !== null;
  }

  begin() {
    this.chunk = this.record();
  }

  moved() {
    const { envelope, began } = this.chunk!;
    const { page, route } = this.headings.place();
    if (envelope.route !== route || (envelope.page !== page && performance.now() - began >= shortestPage)) this.flush();
  }

  /** Ends the chunk after the next one has started, so that nothing is lost between. */
  flush() {
    const { chunk } = this;
    if (!chunk) return;
    this.chunk = null;
    if (this.mayRecord()) this.chunk = this.record();
    this.close(chunk);
  }

  leave() {
    this.finish();
  }

  finish() {
    const { chunk } = this;
    this.chunk = null;
    if (chunk) this.close(chunk);
  }

  private record(): Chunk | null {
    const { sampleInterval, chunk: length } = this.settings;
    const { Profiler } = globalThis as { Profiler?: Constructor };
    try {
      if (!Profiler) throw new Error("there is no Profiler: load runtime.js first");
      const room = Math.ceil((length / (sampleInterval || 10)) * 1.1) + 10;
      // All that may fail comes before it: nobody would stop it.
      const began = performance.now();
      const envelope = this.headings.next(this.series, this.headings.place(), began);
      const profiler = new Profiler({ sampleInterval, maxBufferSize: room });
      const next = () => {
        if (this.chunk?.profiler === profiler) this.flush();
      };
      profiler.addEventListener("samplebufferfull", next);
      return { profiler, began, envelope, timer: later(next, envelope.chunk === 0 ? Math.min(length, firstChunk) : length) };
    } catch (error) {
      this.ended = true; // it would fail again
      this.outbox.note("no profile", error);
      return null;
    }
  }

  private close({ profiler, envelope, timer }: Chunk) {
    cancel(timer);
    const made = profiler.stop().then((trace) => {
      if (trace.fieldprof?.overhead?.exceeded) this.end();
      if (trace.samples.some((sample) => sample.stackId !== undefined)) return [{ ...envelope, trace }];
      const { account, lost = [] } = trace.fieldprof ?? {};
      if (!account) for (const why of lost) this.outbox.note(`chunk ${envelope.chunk} is empty: ${why}`); // no trace was made (api/profiler.ts)
      return []; // or nothing ran
    });
    this.outbox.deliver(`chunk ${envelope.chunk}`, made);
  }

  /** A chunk has exceeded its budget; so would the next ones. */
  private end() {
    if (this.ended) return;
    this.ended = true;
    this.outbox.note(overBudget);
    this.finish();
  }
}
