// Envelopes that leave the page pass through here: the outbox checks consent and the session's
// budget, cleans them, and sends them, by the queue or, when the page goes, at once.
import { cleanText, errorName } from "../trace/clean";
import { within, type Asking } from "./asking";
import { pack, seal, type Envelope, type Letter } from "./envelope";
import type { Settings } from "./options";
import { isDear, isOffline, isShown } from "./presence";
import { Queue } from "./queue";
import type { Session } from "./session";
import { lastBytes, post, postLast } from "./transport";

/** How long an envelope waits for consent, and for its transform, in milliseconds. */
const consentPatience = 10_000;
const transformPatience = 30_000;

export class Outbox {
  private readonly queue: Queue;
  private readonly delivering = new Set<Promise<unknown>>();
  private notes: string[] = [];
  private isFull = false; // the session's bytes are used up
  /** How many bytes may still outlive the page; undefined while it stays. */
  private lastRoom: number | undefined;

  /** `refused` is called when consent turns out to be missing. */
  constructor(
    private readonly settings: Settings,
    private readonly session: Session,
    private readonly asking: Asking,
    private readonly refused: () => void,
  ) {
    this.queue = new Queue(settings.maxQueue, {
      allowed: () => this.allowed(),
      post: (letter) => post(letter, settings),
      note: (text, error) => this.note(text, error),
    });
  }

  /** Whether the session has sent as much as it may. */
  get full(): boolean {
    this.session.renew();
    return (this.isFull ||= this.session.bytes >= this.settings.maxSessionBytes);
  }

  /** The page may be gone at any moment, or it is back. */
  hurry(on: boolean) {
    this.lastRoom = on ? lastBytes : undefined;
  }

  /** The network is back. */
  wake() {
    this.queue.wake();
  }

  /** Sends what the promise gives. `what` names each of it in notes. */
  deliver(what: string, made: Promise<Envelope[]>) {
    const dropped = (error: unknown) => this.note(`${what} was dropped`, error);
    const delivery: Promise<unknown> = made
      .then((envelopes) => Promise.all(envelopes.map((envelope) => this.submit(what, envelope).catch(dropped))))
      .catch(dropped)
      .finally(() => this.delivering.delete(delivery));
    this.delivering.add(delivery);
  }

  /** Resolves when everything is sent or dropped. */
  async empty() {
    await Promise.all(this.delivering);
    await this.queue.empty();
  }

  // Before the sending nothing may wait for more than resolved promises: a page that goes
  // runs its pending microtasks, and no more.
  private async submit(what: string, envelope: Envelope) {
    const forbidden = () => this.note(`${what} was dropped: it may not be sent`);
    if (!(await this.allowed())) return forbidden();
    const { transform, maxBytes } = this.settings;
    if (transform && envelope.trace) {
      const trace = await within(transformPatience, transform(envelope.trace, envelope), () => this.note(`${what} was dropped: its transform gave no answer`));
      if (!trace) return;
      if (!(await this.allowed())) return forbidden();
      envelope = { ...envelope, trace };
    }
    const notes = [...this.notes.splice(0), ...(envelope.notes || [])];
    const whole = seal({ ...envelope, notes: notes.length ? notes : undefined });
    const stays = this.lastRoom === undefined && isShown();
    const { letters, dropped } = pack(whole, stays ? maxBytes : Math.min(maxBytes, lastBytes));
    if (dropped) this.note(`${dropped} samples of ${what} were dropped: too large`);
    this.send(letters);
  }

  private send(letters: Letter[]) {
    const affordable = letters.filter((letter) => this.pay(letter));
    if (affordable.length < letters.length) this.note("the session has sent as much as it may");
    // Only little outlives the page: the latest part. The others are sent if the page stays, hidden.
    const last = this.lastRoom === undefined || isOffline() ? undefined : affordable.pop();
    if (last && !this.postLast(last)) affordable.push(last);
    for (const letter of affordable) this.queue.add(letter);
  }

  private postLast(letter: Letter): boolean {
    const failed = () => this.queue.add(letter); // the page is still there
    if (letter.bytes > this.lastRoom! || !postLast(letter, this.settings, failed)) return false;
    this.lastRoom! -= letter.bytes;
    return true;
  }

  private pay({ bytes }: Letter): boolean {
    const { session } = this;
    session.renew();
    this.isFull ||= session.bytes + bytes > this.settings.maxSessionBytes;
    if (this.isFull) return false;
    session.bytes += bytes;
    session.save();
    return true;
  }

  private async allowed(): Promise<boolean> {
    if (isDear()) return false;
    const yes = await within(consentPatience, this.asking.consents());
    if (!yes) this.refused();
    return yes === true && !isDear();
  }

  /** Notes are sent; the message of an error is shown only to the page. */
  note(text: string, error?: unknown) {
    if (this.notes.length < 20) this.notes.push(error === undefined ? text : `${text}: ${errorName(error)}`);
    this.settings.note(error === undefined ? text : cleanText(`${text}: ${error}`));
  }
}
