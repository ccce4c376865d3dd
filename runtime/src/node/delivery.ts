// Sends profiles, one after the other. Requests that fail are tried again, with longer and
// longer waits, a bounded number of times; the queue is bounded, too.
import { Trouble } from "./say";

/** A request that is to be made. */
export interface Parcel {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string;
}

/** The functions that an outbox needs from the world. */
export interface World {
  fetch(url: string, request: object): Promise<{ ok: boolean; status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>;
  /** Waits, in milliseconds. */
  wait(milliseconds: number): Promise<void>;
  /** From 0 to 1. */
  random(): number;
  say(text: string): void;
}

const enum Limit {
  /** How often a parcel is tried. */
  tries = 6,
  /** How many may wait. */
  waiting = 64,
  /** How long an attempt may take, in ms. */
  patience = 10_000,
  /** The longest wait between attempts of our own, and the longest that a server may ask for, in ms. */
  ours = 60_000,
  theirs = 600_000,
}

/** The outcome of an attempt: sent; refused for good; failed, to be tried again after some time. */
type Outcome = { sent: true } | { sent: false; why: string; again: boolean; after: number };

export class Outbox {
  private readonly waiting: Parcel[] = [];
  private running: Promise<void> | undefined;
  private readonly trouble: Trouble;

  constructor(
    private readonly world: World,
    /** How often a parcel is tried. If once, the first that fails is the last. */
    private readonly tries: number = Limit.tries,
    private readonly patience: number = Limit.patience,
  ) {
    this.trouble = new Trouble((text) => world.say(text), "profiles are sent again");
  }

  /** Takes a parcel. If too many wait, the oldest is dropped. */
  add(parcel: Parcel) {
    if (this.waiting.push(parcel) > Limit.waiting) {
      this.waiting.shift();
      this.trouble.begin(`more than ${Limit.waiting} profiles wait to be sent: the oldest are dropped`);
    }
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  /** Resolves when nothing waits. */
  async empty(): Promise<void> {
    await this.running;
  }

  private async run() {
    for (let parcel = this.waiting.shift(); parcel; parcel = this.waiting.shift()) await this.deliver(parcel);
  }

  private async deliver(parcel: Parcel) {
    for (let tried = 1; ; tried++) {
      const outcome = await this.attempt(parcel);
      if (outcome.sent) return this.trouble.end();
      const over = !outcome.again || tried >= this.tries;
      this.trouble.begin(`a profile could not be sent to ${bare(parcel.url)}: ${outcome.why}`);
      if (this.tries === 1) this.waiting.length = 0; // nothing waits for a server that does not answer
      if (over) return;
      const ours = Math.min(Limit.ours, 1000 * 2 ** (tried - 1)) * (0.5 + this.world.random() / 2);
      await this.world.wait(Math.max(ours, outcome.after));
    }
  }

  private async attempt({ url, headers, body }: Parcel): Promise<Outcome> {
    try {
      // A redirect is not followed: headers may have secrets.
      const answer = await this.world.fetch(url, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(this.patience) });
      const text = (await answer.text()).trim();
      if (answer.ok) return { sent: true };
      const asked = 1000 * Number(answer.headers.get("Retry-After"));
      return {
        sent: false,
        why: `the answer is ${answer.status}${text && ": "}${text.slice(0, 200)}`,
        again: answer.status >= 500 || answer.status === 429 || answer.status === 408,
        after: asked > 0 ? Math.min(asked, Limit.theirs) : 0,
      };
    } catch (error) {
      const { message, name, cause } = error as Error & { cause?: { code?: string; message?: string } };
      const why = name === "TimeoutError" ? `no answer in ${this.patience / 1000} s` : (cause?.code ?? cause?.message ?? message);
      return { sent: false, why, again: true, after: 0 };
    }
  }
}

/** An address without its query, which may have a key. */
function bare(url: string): string {
  return url.replace(/[?#].*/, "");
}
