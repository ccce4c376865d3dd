// Talks to the host that serves the page. The program's output goes out in order and
// soon, even if it never rests: requests are synchronous, since a busy page sends no
// others.
import { now } from "../core/real";
import { later } from "../core/timers";

/** The streams of a program: standard output and standard error. */
export type Stream = 1 | 2;

/** Printed text waits at most this long, in ms, and has at most this many characters. */
const wait = 20;
const busyWait = 250;
const most = 1 << 16;
/** How long to wait before a request that failed is made again, in ms. */
const again = 100;

const { XMLHttpRequest, fetch } = globalThis;
const { stringify } = JSON;
const { open, send } = XMLHttpRequest.prototype;
const request = fetch.bind(globalThis);

export class Talk {
  /** How many times something was printed. */
  said = 0;
  /** When we last talked to the host. */
  last = now();
  private waiting: [Stream, string][] = [];
  private size = 0;
  private scheduled = false;
  private closed = false;

  constructor(
    private base: string,
    private stop: () => void,
    /** Called after each synchronous request, which blocked the page. */
    private spoke: () => void,
  ) {
    this.wait();
  }

  /** Has a request open, by which the host knows that the page lives. */
  private wait() {
    request(`${this.base}wait`).then(
      (response) => response.ok && this.stop(), // for a program that rests
      () => this.closed || later(() => this.wait(), again), // the program has stopped it, or the host has ended
    );
  }

  say(stream: Stream, text: string) {
    if (this.closed) return;
    this.said++;
    this.waiting.push([stream, text]);
    this.size += text.length;
    if (this.size > most || now() - this.last > busyWait) return this.flush();
    if (!this.scheduled) later(() => this.flush(), wait);
    this.scheduled = true;
  }

  /** Sends all that waits, and learns whether to stop. */
  flush() {
    if (this.closed) return;
    const { text } = this;
    this.waiting = [];
    this.size = 0;
    this.scheduled = false;
    if (this.post("talk", text) === "stop") this.stop();
  }

  /** Sends the last messages. */
  end(report: string) {
    if (this.closed) return;
    this.closed = true;
    this.post("talk", this.text);
    this.post("end", report);
  }

  /** The output that waits. Strings have no toJSON, which the program may have given to arrays. */
  private get text(): string {
    return `[${this.waiting.map(([stream, text]) => `[${stream},${stringify(text)}]`).join()}]`;
  }

  private post(path: string, text: string): string {
    try {
      const post = new XMLHttpRequest();
      open.call(post, "POST", this.base + path, false);
      send.call(post, text);
      this.last = now();
      this.spoke();
      return post.responseText;
    } catch {
      return ""; // the host has ended
    }
  }
}
