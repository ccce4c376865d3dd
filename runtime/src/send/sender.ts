// Profiles a session in chunks, and sends them.
import type { ProfilerTrace } from "../recording/parts";
import { cleanText, cleanURL, errorName } from "../trace/clean";
import { Asking, within } from "./asking";
import { pack, seal, type Envelope, type Letter } from "./envelope";
import type { Settings } from "./options";
import { isDear, isShown, watch, watchNetwork } from "./presence";
import { Queue } from "./queue";
import { follow } from "./routes";
import type { Session } from "./session";
import { lastBytes, post, postLast } from "./transport";

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
/** How long a finished chunk waits for consent, and for its transform, in milliseconds. */
const consentPatience = 10_000;
const transformPatience = 30_000;

const { setTimeout, clearTimeout, performance, location } = globalThis;

/** A running profile. */
interface Chunk {
  profiler: Profiler;
  began: number; // performance.now
  envelope: Omit<Envelope, "trace">;
  timer: ReturnType<typeof setTimeout>;
}

export class Sender {
  private chunk: Chunk | null = null;
  private chunks = 0;
  private finishing = new Set<Promise<void>>();
  private readonly asking: Asking;
  private ended = false;
  private full = false; // the session's bytes are used up
  private notes: string[] = [];
  private readonly queue: Queue;
  private unwatch: (() => void)[] = [];

  constructor(
    private readonly settings: Settings,
    private readonly session: Session,
  ) {
    this.asking = new Asking(settings.consent);
    this.queue = new Queue(settings.maxQueue, {
      allowed: () => this.allowed(),
      post: (letter) => post(letter, settings),
      note: (text, error) => this.note(text, error),
    });
  }

  /** Starts to follow the page, if any route of it may be profiled. */
  start() {
    if (this.session.draw >= this.settings.highest) return;
    const update = () => this.update();
    this.unwatch = [
      watch({ leave: () => this.leave(), come: () => this.come() }),
      watchNetwork(update, () => this.queue.wake()),
      follow(update),
    ];
    this.update();
  }

  /** Starts or ends profiling as things are now; askAgain asks for consent even if an answer is awaited. */
  update(askAgain?: boolean) {
    if (!this.mayRecord()) return this.finish();
    if (!this.chunk) return this.begin(askAgain);
    const { envelope, began } = this.chunk;
    const moved = envelope.page !== this.page() && performance.now() - began >= shortestPage;
    if (envelope.route !== this.rule().route || moved) this.next();
  }

  /**
   * Whether anything may be recorded here and now, apart from consent. Must be checked
   * again after each wait: the page may have moved on.
   */
  private mayRecord(): boolean {
    this.session.renew();
    const { draw, bytes } = this.session;
    this.full ||= bytes >= this.settings.maxSessionBytes;
    return !this.ended && !this.full && draw < this.rule().rate && isShown() && !isDear();
  }

  private rule() {
    return this.settings.rateOf(location.pathname);
  }

  get active() {
    return this.chunk !== null;
  }

  /** Sends what there is, and resolves when it is sent or dropped. */
  async flush() {
    this.next();
    await Promise.all(this.finishing);
    await this.queue.empty();
  }

  /** Ends profiling. */
  async stop() {
    this.ended = true;
    for (const unwatch of this.unwatch.splice(0)) unwatch();
    this.finish();
    await this.flush();
  }

  // --- chunks ----------------------------------------------------------------

  private begin(askAgain?: boolean) {
    this.asking.ask(location.pathname, !!askAgain, () => {
      if (this.chunk || !this.mayRecord()) return;
      this.session.save();
      this.chunk = this.record();
    });
  }

  /** Ends the chunk after the next one has started, so that nothing is lost between. */
  private next() {
    const { chunk } = this;
    if (!chunk) return;
    this.chunk = null;
    if (this.mayRecord()) this.chunk = this.record();
    this.close(chunk);
  }

  private finish() {
    const { chunk } = this;
    this.chunk = null;
    if (chunk) this.close(chunk);
  }

  private record(): Chunk | null {
    const { route } = this.rule();
    const { sampleInterval, chunk: length, release } = this.settings;
    const { Profiler } = globalThis as { Profiler?: Constructor };
    try {
      if (!Profiler) throw new Error("there is no Profiler: load runtime.js first");
      const room = Math.ceil((length / (sampleInterval || 10)) * 1.1) + 10;
      const profiler = new Profiler({ sampleInterval, maxBufferSize: room });
      const next = () => {
        if (this.chunk?.profiler === profiler) this.next();
      };
      profiler.addEventListener("samplebufferfull", next);
      const { id: session, view } = this.session;
      const number = this.chunks++;
      return {
        profiler,
        began: performance.now(),
        envelope: {
          version: 1, session, view, page: this.page(), route, release,
          chunk: number, started: Date.now(), origin: performance.timeOrigin,
        },
        timer: setTimeout(next, number === 0 ? Math.min(length, firstChunk) : length),
      };
    } catch (error) {
      this.ended = true; // it would fail again
      this.note("no profile", error);
      return null;
    }
  }

  private page(): string {
    try {
      return cleanURL(String(this.settings.page(location)));
    } catch {
      return "";
    }
  }

  private close(chunk: Chunk) {
    clearTimeout(chunk.timer);
    const closing: Promise<void> = this.submit(chunk)
      .catch((error) => this.note(`chunk ${chunk.envelope.chunk} was dropped`, error))
      .finally(() => this.finishing.delete(closing));
    this.finishing.add(closing);
  }

  // --- sending ---------------------------------------------------------------

  // Between the stop and the sending nothing may wait for more than resolved promises: a
  // page that goes runs its pending microtasks, and no more.
  private async submit({ profiler, envelope }: Chunk) {
    let trace: ProfilerTrace | null | undefined = await profiler.stop();
    if (!trace.samples.some((sample) => sample.stackId !== undefined)) return; // nothing ran
    const forbidden = () => this.note(`chunk ${envelope.chunk} was dropped: it may not be sent`);
    if (!(await this.allowed())) return forbidden();
    const { transform, maxBytes } = this.settings;
    if (transform) {
      trace = await within(transformPatience, transform(trace, { ...envelope, trace }), () => this.note(`chunk ${envelope.chunk} was dropped: its transform gave no answer`));
      if (!trace) return;
      if (!(await this.allowed())) return forbidden();
    }
    const notes = this.notes.splice(0);
    const whole = seal({ ...envelope, notes: notes.length ? notes : undefined, trace });
    const { letters, dropped } = pack(whole, isShown() && !this.leaving ? maxBytes : Math.min(maxBytes, lastBytes));
    if (dropped) this.note(`${dropped} samples of chunk ${envelope.chunk} were dropped: too large`);
    this.send(letters);
  }

  private send(letters: Letter[]) {
    const affordable = letters.filter((letter) => this.pay(letter));
    if (affordable.length < letters.length) this.note("the session has sent as much as it may");
    // Only little outlives the page: the latest part. The others are sent if the page stays, hidden.
    const last = this.leaving ? affordable.pop() : undefined;
    if (last && !postLast(last, this.settings)) affordable.push(last);
    for (const letter of affordable) this.queue.add(letter);
  }

  private pay({ bytes }: Letter): boolean {
    const { session } = this;
    session.renew();
    this.full ||= session.bytes + bytes > this.settings.maxSessionBytes;
    if (this.full) return false;
    session.bytes += bytes;
    session.save();
    return true;
  }

  private async allowed(): Promise<boolean> {
    if (isDear()) return false;
    const yes = await within(consentPatience, this.asking.consents());
    if (!yes) this.finish();
    return yes === true && !isDear();
  }

  /** Notes are sent; the message of an error is told only to the page. */
  private note(text: string, error?: unknown) {
    if (this.notes.length < 20) this.notes.push(error === undefined ? text : `${text}: ${errorName(error)}`);
    this.settings.note(error === undefined ? text : cleanText(`${text}: ${error}`));
  }

  // --- the page goes and comes -------------------------------------------------

  private leaving = false;

  private leave() {
    this.leaving = true;
    hurry(true);
    this.finish();
  }

  private come() {
    this.leaving = false;
    hurry(false);
    this.update();
  }
}

/** Whether traces must not wait for the network, since the page may be gone. */
function hurry(on: boolean) {
  const { __fieldprof } = globalThis;
  if (__fieldprof) __fieldprof.hurry = on;
}
