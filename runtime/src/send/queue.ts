// Requests that wait to be sent: one at a time, the oldest first, and again after a while
// if the server or the network fails.
import { cancel, idly, type Timer } from "../core/timers";
import type { Letter } from "./envelope";
import { isOffline } from "./presence";
import type { Outcome } from "./transport";

/** How often a letter is tried. */
const tries = 6;
/** The wait after the first try, and the longest, in milliseconds. */
const shortest = 1000;
const longest = 300_000;


export interface Ways {
  /** Whether anything may be sent: asked again before each try. */
  allowed(): Promise<boolean>;
  post(letter: Letter): Promise<Outcome>;
  note(text: string, error?: unknown): void;
}

export class Queue {
  private waiting: { letter: Letter; tried: number }[] = [];
  private busy = false;
  private timer: Timer;
  private idle: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly ways: Ways,
  ) {}

  add(letter: Letter) {
    this.waiting.push({ letter, tried: 0 });
    if (this.waiting.length > this.most) {
      this.waiting.splice(this.busy ? 1 : 0, 1); // not the one in progress
      this.ways.note(`more than ${this.most} requests wait: the oldest was dropped`);
    }
    if (!this.timer) this.next();
  }

  /** Resolves when the queue is empty. */
  empty(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.length === 0) resolve();
      else this.idle.push(resolve);
    });
  }

  /** Tries at once instead of waiting: the network is back. */
  wake() {
    cancel(this.timer);
    this.timer = undefined;
    this.next();
  }

  private async next() {
    if (this.busy) return;
    this.busy = true;
    while (this.waiting.length > 0 && !this.timer) await this.step();
    this.busy = false;
    this.rest();
  }

  private async step() {
    const first = this.waiting[0];
    if (!(await this.ways.allowed())) {
      if (this.waiting.length > 0) this.ways.note("what waits was dropped: it may not be sent");
      this.waiting.length = 0;
      return;
    }
    if (this.waiting[0] !== first) return;
    if (isOffline()) return this.sleep(longest); // wake is called when it is back
    const outcome = await this.ways.post(first.letter);
    if (this.waiting[0] !== first) return; // everything was dropped meanwhile
    if (outcome.done || !this.again(first, outcome)) this.waiting.shift();
  }

  private again(first: { tried: number }, { again, wait, why, error }: Outcome & { done: false }): boolean {
    first.tried++;
    if (!again || first.tried >= tries) {
      this.ways.note(`a request was dropped: ${why}`, error);
      return false;
    }
    const most = Math.min(longest, shortest * 2 ** (first.tried - 1));
    // Half of it is random, so that clients that failed together do not retry together.
    const own = most * (0.5 + Math.random() / 2);
    this.sleep(wait === undefined ? own : wait + (own - most / 2));
    return true;
  }

  private sleep(wait: number) {
    this.timer = idly(() => this.wake(), wait);
  }

  private rest() {
    if (this.waiting.length > 0) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }
}
