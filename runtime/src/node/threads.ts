// The threads of a process that are recorded. When the process ends they would be stopped
// in the middle: the main thread asks them for their profiles first, and waits a while.
import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData, threadId, workerData } from "node:worker_threads";
import { process } from "./nodeprocess";

/** What threads tell each other. */
export type Order = "end" | "start" | "stop";

const key = "fieldprof";
/** How long the main thread waits, in ms. */
const patience = 5000;
/** Words by thread id: 1 while it records. Word 0: the process ends. */
const size = 4096;

/** The channel is opened only where there are threads: it is one of Node's larger parts. */
let channel: InstanceType<typeof BroadcastChannel> | undefined;
let words: Int32Array | undefined;

/** Whether this thread is the coordinator of another one, or makes profiles. */
export function isOurs(): boolean {
  return !isMainThread && (workerData as { memory?: unknown } | null)?.memory instanceof SharedArrayBuffer;
}

/** Has the main thread know its workers. */
export function lead() {
  words = new Int32Array(new SharedArrayBuffer(4 * size));
  setEnvironmentData(key, words);
}

/** Tells all other threads. */
export function tell(order: Order) {
  if (!words || !words.includes(1, 1)) return;
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
    for (let left = until - Date.now(); left > 0 && Atomics.load(words, i) === 1; left = until - Date.now()) Atomics.wait(words, i, 1, left);
  }
}

/** Has this worker be told. Returns a function that says that it has nothing more to write; undefined if nobody would tell. */
export function follow(hear: (order: Order) => void): (() => void) | undefined {
  words = getEnvironmentData(key) as Int32Array | undefined;
  if (!words || threadId >= size) return undefined;
  channel = new BroadcastChannel(key);
  channel.onmessage = ({ data }) => hear(data as Order);
  channel.unref();
  const mine = words;
  Atomics.store(mine, threadId, 1);
  return () => {
    Atomics.store(mine, threadId, 0);
    Atomics.notify(mine, threadId);
  };
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
      if (words && id < size) Atomics.store(words, id, 0);
    });
  });
}
