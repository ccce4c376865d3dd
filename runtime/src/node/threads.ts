// The threads of a process that are recorded. When the process ends they would be stopped
// in the middle: the main thread asks them for their profiles first, and waits a while.
import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData, threadId, workerData } from "node:worker_threads";
import { process } from "./nodeprocess";

/** What threads tell each other. */
export type Order = "end" | "start" | "stop";

const key = "fieldprof";
/** How long the main thread waits, in ms. */
const patience = 5000;
/** The number of words. Word 0 is 1 once the process ends; each other word has the id of a thread that records, or is 0 if it is free. */
const size = 4096;

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
}

/** Tells all other threads. */
export function tell(order: Order) {
  if (!words?.subarray(1).some(Boolean)) return;
  channel ??= new BroadcastChannel(key);
  channel.unref();
  channel.postMessage(order);
}

/** Tells them to end, and waits until their profiles are there. */
export function endAll() {
  if (!words) return;
  Atomics.store(words, 0, 1);
  tell("end");
  const until = Date.now() + patience;
  for (let i = 1; i < size; i++) {
    const id = Atomics.load(words, i);
    for (let left = until - Date.now(); id && left > 0 && Atomics.load(words, i) === id; left = until - Date.now()) Atomics.wait(words, i, id, left);
  }
}

/** Has this worker be told. Returns a function that says that it has nothing more to write; undefined if nobody would tell. */
export function follow(hear: (order: Order) => void): (() => void) | undefined {
  const mine = getEnvironmentData(key) as Int32Array | undefined;
  words = mine;
  if (!mine) return undefined;
  const at = placeIn(mine);
  if (!at) return undefined;
  channel = new BroadcastChannel(key);
  channel.onmessage = ({ data }) => hear(data as Order);
  channel.unref();
  return () => {
    Atomics.store(mine, at, 0);
    Atomics.notify(mine, at);
  };
}

/** Takes a word for this thread. Ids are not given twice: a service that starts a worker for each job has used up thousands in a day. */
function placeIn(words: Int32Array): number {
  for (let at = 1; at < size; at++) if (Atomics.compareExchange(words, at, 0, threadId) === 0) return at;
  return 0;
}

/** Whether the process ends: a worker that never rests looks here. */
export function isEnding(): boolean {
  return !!words && Atomics.load(words, 0) === 1;
}

/** Forgets workers that have ended without a word, so that nobody waits for them. */
export function watchWorkers() {
  process.on("worker", (worker: { threadId: number; once(event: "exit", done: () => void): void }) => {
    const { threadId: id } = worker;
    worker.once("exit", () => {
      const at = words ? words.indexOf(id, 1) : -1;
      if (at > 0) Atomics.store(words!, at, 0);
    });
  });
}
