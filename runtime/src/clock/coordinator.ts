// The realm's side of the coordinator: starts the worker that raises the flag, tells
// it when to run, and receives its pings.
import { bareThread } from "../core/bare";
import { checks } from "../core/flag";
import { files } from "../core/files";
import { timeOrigin } from "../core/origin";
import { now } from "../core/real";
import { Board, word } from "./board";
import { source } from "./coordinator.text";
import type { Orders } from "./coordinator.worker";

/** Starts the worker. Throws, or reports a failure later, if it cannot. */
type Start = (orders: Orders, hear: (ping: unknown) => void, failed: () => void) => { terminate(): unknown };

function inNode({ Worker, isMainThread }: node.Modules["worker_threads"]): Start {
  return (orders, hear, failed) => {
    const { platform, pid } = process!;
    // In Linux a process has the number of its main thread. Others' are not known.
    const workerData = { ...orders, thread: isMainThread && platform === "linux" ? pid : undefined };
    const worker = new Worker(source, { ...bareThread(), eval: true, workerData });
    worker.on("message", hear);
    worker.on("error", failed);
    worker.unref();
    return worker;
  };
}

/** As they were before api/wrap.ts: a worker of ours needs no runtime. */
interface Originals {
  Worker?: typeof globalThis.Worker;
  Blob?: typeof globalThis.Blob;
  createURL?(blob: Blob): string;
}
const originals = (): Originals => checks.workers ?? {};

function onWeb(url: string | URL): Start {
  return (orders, hear, failed) => {
    const { Worker: Original = Worker } = originals();
    const worker = new Original(url);
    worker.onmessage = (event) => hear(event.data);
    worker.onerror = (event) => {
      event.preventDefault?.(); // the error is not the page's
      failed();
    };
    worker.postMessage(orders);
    return worker;
  };
}

/** A policy forbids workers from texts. To try again would be reported again. */
let textForbidden = false;

const fromText: Start = (orders, hear, failed) => {
  const { Blob: Original = Blob, createURL = URL.createObjectURL } = originals();
  const url = createURL(new Original([source], { type: "text/javascript" }));
  const forbidden = () => {
    URL.revokeObjectURL(url);
    textForbidden = true;
  };
  try {
    return onWeb(url)(
      orders,
      (ping) => {
        if (ping === word.State) URL.revokeObjectURL(url); // the worker runs
        hear(ping);
      },
      () => {
        forbidden();
        failed();
      },
    );
  } catch (error) {
    forbidden();
    throw error;
  }
};

/** From its text or, if a policy forbids that, from its file. */
function* ways(): Generator<Start> {
  const threads = globalThis.process?.getBuiltinModule?.("worker_threads");
  if (threads) return yield inNode(threads);
  if (!textForbidden) yield fromText;
  if (files.base) yield onWeb(new URL("coordinator.js", files.base));
}

/** Events of a coordinator. */
interface Hooks {
  /** The worker runs. */
  ready(): void;
  /** The thread got to a ping: the task that was running when it was sent has ended. */
  ping(): void;
  /** The worker could not start, or has failed. */
  failed(why: string): void;
}

/** Milliseconds since 1970. */
const time = () => timeOrigin() + now();

export class Coordinator {
  readonly board = new Board();
  private worker: { terminate(): unknown } | undefined;
  private ways = ways();
  private begun = false;
  private raised = 0;
  private attempt: object | undefined;
  /** How far our clock is ahead of the worker's, at least and at most. */
  private least = -Infinity;
  private most = Infinity;

  constructor(
    private flag: Int32Array,
    private seed: number,
    private hooks: Hooks,
  ) {}

  /** Starts the worker in the next way that is left. */
  start() {
    const { flag, seed, board } = this;
    const mine = {};
    this.attempt = mine;
    const failed = () => {
      if (this.attempt !== mine) return;
      this.worker?.terminate();
      if (this.begun) this.hooks.failed("the coordinator's worker failed");
      else this.start();
    };
    const hear = (ping: unknown) => {
      if (this.attempt !== mine) return; // it was in flight when the worker ended
      if (ping !== word.State) {
        this.most = Math.min(this.most, time() - Number(ping));
        return this.hooks.ping();
      }
      this.begun = true;
      this.hooks.ready();
    };
    try {
      const way = this.ways.next().value;
      if (way) this.worker = way({ flag, seed, memory: board.memory }, hear, failed);
      else this.hooks.failed("the coordinator's worker could not start");
    } catch {
      failed();
    }
  }

  /** Runs at an interval in milliseconds; 0 is a pause. */
  run(interval: number) {
    const { words } = this.board;
    if (interval) this.board.interval = interval; // for a pause the worker may still be reading it
    this.board.ordered = time();
    this.tell((words[word.State] | 1) + (interval ? 2 : 1));
  }

  /**
   * When the first pending tick was due, by performance.now(). Chromium asks the wall clock for the time origin of each
   * realm, so that the worker's differs from a page's if that was set, or the machine has slept, since the page was
   * loaded. An order is taken after it is given, and a ping heard after it is sent: any contradiction is taken off.
   */
  get due(): number {
    this.least = Math.max(this.least, this.board.ahead || -Infinity);
    const ahead = Math.max(this.least, Math.min(0, this.most));
    return this.board.due + ahead - timeOrigin();
  }

  end() {
    this.tell(-1);
    this.attempt = undefined;
    this.worker?.terminate();
  }

  private tell(state: number) {
    const { words } = this.board;
    Atomics.store(words, word.State, state);
    Atomics.notify(words, word.State);
  }

  /** Takes all pending ticks, and cancels the ping. */
  clear(): number {
    Atomics.store(this.board.words, word.Ping, 0);
    return this.drop();
  }

  /** Takes all pending ticks. */
  drop(): number {
    return Atomics.exchange(this.flag, 0, 0);
  }

  /** Whether ticks were raised since the last call. */
  moved(): boolean {
    const before = this.raised;
    this.raised = this.board.words[word.Raised];
    return this.raised !== before;
  }
}
