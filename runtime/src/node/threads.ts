// The threads of a process that are recorded. When the process ends they would be stopped
// in the middle: the main thread asks them for their profiles first, and waits a while.
import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData, threadId, workerData } from "node:worker_threads";
import { process } from "./nodeprocess";

/** The orders of the main thread to the others. */
export type Order = "end" | "start" | "stop";

const key = "fieldprof";
/** The thread that a thread was started by. */
const parentKey = "fieldprof parent";
/** How long the main thread waits for one that is silent, in ms. */
const patience = 5000;

/** Word 0, bit by bit. */
const enum State {
  ends = 1,
  /** Between signals: threads that start now record, too. */
  records = 2,
}

/** After word 0 each thread has a place of three words. */
const enum Word {
  /** The thread's id; 0: the place is free. */
  id = 0,
  /** The id of the thread that started it. */
  parent = 1,
  /** When it was last heard of, by its ticks; 0: it has not recorded. */
  heard = 2,
}
const width = 3;
const first = 1;
const size = first + 4096 * width;

const { bigint } = process.hrtime; // one clock for all threads, also while an app's test replaces others

/** Milliseconds since some time, in 32 bits, never 0. */
const clock = () => Number(bigint() / 1_000_000n) | 1;

/** The channel is opened only where there are threads: it is one of Node's larger parts. */
let channel: InstanceType<typeof BroadcastChannel> | undefined;
let words: Int32Array | undefined;

/** Whether this thread is the coordinator of another one, or makes profiles. */
export function isOurs(): boolean {
  const { flag, memory } = (workerData ?? {}) as { flag?: unknown; memory?: unknown };
  return !isMainThread && flag instanceof Int32Array && memory instanceof SharedArrayBuffer;
}

/** Has the main thread know its workers. */
export function lead() {
  words = new Int32Array(new SharedArrayBuffer(4 * size));
  setEnvironmentData(key, words);
  watchWorkers();
}

/** Has all threads record, or stop, those that start from now on as well. */
export function record(does: boolean) {
  if (!words) return;
  if (does) Atomics.or(words, 0, State.records);
  else Atomics.and(words, 0, ~State.records);
  tell(does ? "start" : "stop");
}

/** Tells all other threads. */
function tell(order: Order) {
  if (!words?.subarray(first).some(Boolean)) return;
  channel ??= new BroadcastChannel(key);
  channel.unref();
  channel.postMessage(order);
}

/**
 * Tells them to end, and waits until their profiles are there. A thread that has neither rested
 * nor passed a check for a while, since it waits itself, will not hear of it.
 */
export function endAll() {
  if (!words) return;
  Atomics.or(words, 0, State.ends);
  tell("end");
  for (let at = first; at < size; at += width) {
    const id = Atomics.load(words, at);
    for (let left = leftOf(words, at); id && left > 0 && Atomics.load(words, at) === id; left = leftOf(words, at)) Atomics.wait(words, at, id, left);
  }
}

/** How long to wait for the thread of a place, in ms. A pool's thread may have been silent for months. */
function leftOf(words: Int32Array, at: number): number {
  const heard = Atomics.load(words, at + Word.heard);
  return heard && patience - ((clock() - heard) >>> 0);
}

/** A thread's own place among the others. */
export interface Place {
  /** It is alive, and records. */
  heard(): void;
  /** It has nothing more to write. */
  leave(): void;
}

/** Lets this worker receive orders. Undefined if no thread would send any. */
export function follow(hear: (order: Order) => void): Place | undefined {
  const mine = getEnvironmentData(key) as Int32Array | undefined;
  words = mine;
  if (!mine) return undefined;
  const at = placeIn(mine);
  if (!at) return undefined;
  Atomics.store(mine, at + Word.heard, 0);
  Atomics.store(mine, at + Word.parent, (getEnvironmentData(parentKey) as number | undefined) ?? 0);
  setEnvironmentData(parentKey, threadId);
  watchWorkers();
  channel = new BroadcastChannel(key);
  channel.onmessage = ({ data }) => hear(data as Order);
  channel.unref();
  return {
    heard: () => Atomics.store(mine, at + Word.heard, clock()),
    leave() {
      Atomics.store(mine, at, 0);
      Atomics.notify(mine, at);
    },
  };
}

/** Takes a place for this thread. Ids are not given twice: a service that starts a worker for each job has used up thousands in a day. */
function placeIn(words: Int32Array): number {
  for (let at = first; at < size; at += width) if (Atomics.compareExchange(words, at, 0, threadId) === 0) return at;
  return 0;
}

/** Whether the process ends: a worker that never rests looks here. */
export function isEnding(): boolean {
  return !!words && (Atomics.load(words, 0) & State.ends) > 0;
}

/** Whether threads record between signals now. */
export function isRecording(): boolean {
  return !!words && (Atomics.load(words, 0) & State.records) > 0;
}

interface NodeWorker {
  readonly threadId: number;
  terminate(): unknown;
  once(event: "exit", done: () => void): void;
}

/** Forgets workers of this thread that end without a word, so that no thread waits for them. */
function watchWorkers() {
  process.on("worker", (worker: NodeWorker) => {
    const { threadId: id, terminate } = worker;
    worker.once("exit", () => forget(id));
    // If the process exits at once, no listener hears of the worker's end.
    const value = new Proxy(terminate, {
      apply(target, self, args) {
        forget(id);
        return Reflect.apply(target, self, args);
      },
    });
    Object.defineProperty(worker, "terminate", { value, configurable: true, writable: true });
  });
}

/** Forgets a thread, and those that have ended with it since it has started them. */
function forget(id: number) {
  for (let at = first; words && at < size; at += width) {
    const other = Atomics.load(words, at);
    if (other === id) Atomics.store(words, at, 0);
    else if (other && Atomics.load(words, at + Word.parent) === id) forget(other);
  }
}
