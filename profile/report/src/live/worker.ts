// The panel's worker: it holds the socket and the samples, and makes snapshots for the
// page, which only draws them.
import { binsOf } from "../bins";
import { leftHeavy } from "../bands";
import { kinds } from "../columns";
import { fold, noFolds } from "../fold";
import type { Func } from "../profile";
import { TimeOrder } from "../timeorder";
import { Weights } from "../weights";
import { Calls } from "./calls";
import { Held } from "./held";
import { common, Member } from "./member";
import type { Account, Batch, FromServer, Source } from "./protocol";
import { snapshotOf } from "./snapshot";
import { Socket } from "./socket";
import { bare, buffersIn, rangeOf, type FromWorker, type Look, type Losses, type ToWorker } from "./wire";

/** Snapshots are so far apart at least, and take no greater part of the time. */
const apart = 250;
const part = 0.1;

export class Work {
  private readonly calls = new Calls();
  private held = new Held();
  private readonly members = new Map<string, Member>();
  private list: Source[] = [];
  private look: Look = { shown: null, follow: "all", folds: noFolds, chart: "flame", width: 0, number: 0 };
  private socket: Socket | null = null;
  private told = 0; // functions that the page knows
  private isNew = false; // there is something to show
  private isDrawn = true; // the page has shown the last snapshot
  private timer = 0;
  private next = 0; // when there may be a snapshot

  constructor(private readonly post: (message: FromWorker, moved?: Transferable[]) => void) {}

  hear(message: ToWorker) {
    if (message.do === "open") this.open(message.url, message.token);
    else if (message.do === "send") this.socket?.send(message.message);
    else if (message.do === "look") {
      this.look = message.look;
      this.changed();
    } else {
      this.isDrawn = true;
      this.schedule();
    }
  }

  private open(url: string, token: string) {
    this.socket = new Socket(url, token, {
      opened: () => this.opened(),
      heard: (message) => this.heard(message),
      lost: (after) => this.post({ is: "trying", after }),
    });
  }

  /** The server sends all it has again. */
  private opened() {
    this.members.clear();
    this.held = new Held(undefined, this.held.epoch);
    this.post({ is: "open" });
  }

  private heard(message: FromServer) {
    if (message.type === "batch") this.add(message);
    else if (message.type === "clear") this.clear(message.sources);
    else if (message.type === "refused") this.post({ is: "refused", why: String(message.why) });
    else if (message.type === "sources") {
      this.list = message.list ?? [];
      this.post({ is: "sources", list: this.list, server: message.server ?? "" });
      this.changed();
    }
  }

  private add(batch: Batch) {
    const id = batch.source ?? "";
    let member = this.members.get(id);
    if (!member) this.members.set(id, (member = new Member(this.members.size, this.calls, this.held)));
    const of = this.list.find((source) => source.id === id);
    const isKnown = of?.profile === batch.profile;
    member.add(batch, { time: (isKnown && of?.began) || 0, interval: (isKnown && of?.interval) || 0 });
    this.changed();
  }

  private clear(sources?: string[]) {
    for (const [id, member] of this.members) if (sources?.includes(id) ?? true) member.forget();
    this.changed();
  }

  private changed() {
    this.isNew = true;
    this.schedule();
  }

  private schedule() {
    if (this.timer || !this.isNew || !this.isDrawn) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.show();
    }, Math.max(0, this.next - performance.now())) as unknown as number;
  }

  private show() {
    const began = performance.now();
    this.isNew = this.isDrawn = false;
    const message = this.snapshot();
    this.post(message, buffersIn([message.profile, message.made]));
    const took = performance.now() - began;
    this.next = began + Math.max(apart, took / part);
  }

  private snapshot() {
    const { calls, held, look } = this;
    const shown = [...this.members].filter(([id]) => !look.shown || look.shown.includes(id)).map(([, member]) => member);
    const isShown = new Uint8Array(this.members.size);
    for (const { number } of shown) isShown[number] = 1;
    const unit = shown.reduce((unit, member) => common(unit, member.interval), 0) || 1000;
    const begin = shown.reduce((first, { began }) => Math.min(first, began), Infinity);
    const { profile: whole, origin } = snapshotOf(held, calls, { shown: isShown, unit, begin: begin === Infinity ? 0 : begin });
    const profile = fold(whole, look.folds);
    const range = rangeOf(look.follow, origin, profile.end);
    const weights = new Weights(profile, range);
    void [profile.outermost, profile.children, weights.selfOf]; // the page will ask for them
    const made = {
      weights,
      flame: look.chart === "flame" ? leftHeavy(profile, weights) : undefined,
      order: look.chart === "order" ? new TimeOrder(profile) : undefined,
      bins: look.width > 0 ? binsOf(profile, look.width) : undefined,
    };
    const functions: Func[] = calls.functions.slice(this.told);
    this.told = calls.functions.length;
    return {
      is: "snapshot" as const,
      ...bare(profile, made),
      functions,
      range,
      look: look.number,
      origin,
      marks: shown.flatMap(({ marks }) => marks.filter(({ end }) => end >= origin)),
      account: sumOf(shown),
      ticks: shown.reduce((all, { ticks }) => all.map((of, kind) => of + ticks[kind]), new Float64Array(kinds)),
      losses: this.losses(shown),
      sources: [...this.members.keys()],
    };
  }

  private losses(shown: Member[]): Losses {
    const dropped = { batches: 0, ticks: 0 };
    for (const member of shown) {
      dropped.batches += member.dropped.batches;
      dropped.ticks += member.dropped.ticks;
    }
    return { dropped, forgotten: this.held.forgotten, isFull: this.calls.isFull, notes: [...new Set(shown.flatMap(({ notes }) => notes))].slice(0, 20) };
  }
}

function sumOf(members: Member[]): Account {
  const sum: { [of: string]: number } = {};
  for (const { account } of members) for (const [of, ticks] of Object.entries(account)) sum[of] = (sum[of] ?? 0) + Number(ticks);
  return sum;
}

export function startWorker() {
  const scope = self as unknown as { postMessage(message: FromWorker, moved?: Transferable[]): void };
  const work = new Work((message, moved = []) => scope.postMessage(message, moved));
  addEventListener("message", ({ data }: MessageEvent<ToWorker>) => work.hear(data));
}
