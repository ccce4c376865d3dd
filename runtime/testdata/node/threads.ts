// At its end a process waits for threads that can still hear of it, and for no others.
import "./hrtime";
import assert from "node:assert/strict";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { setTime } from "./hrtime";
import { endAll, follow, lead } from "../../src/node/threads";

/** Starts a thread of this script, and waits until it has a place. */
function start(role: string): Promise<Worker> {
  const worker = new Worker(new URL(import.meta.url), { workerData: role });
  return new Promise((done) => worker.on("message", () => done(worker)));
}

/** How long the process waits at its end, in milliseconds: a thread that is waited for does not answer. */
function waited(at: number): number {
  setTime(at);
  let sum = 0;
  const { wait } = Atomics;
  Atomics.wait = ((_words: Int32Array, _at: number, _id: number, left: number) => {
    sum += left;
    setTime(at + sum);
    return "timed-out";
  }) as typeof Atomics.wait;
  endAll();
  Atomics.wait = wait;
  return sum;
}

async function main() {
  lead();
  const silent = await start("records");
  assert.equal(waited(1000), 5000, "one that was just heard of");
  assert.equal(waited(4000), 2000, "one that was heard of three seconds ago");
  assert.equal(waited(6000), 0, "one that has been silent for long");
  assert.equal(waited(30 * 86_400_000), 0, "one that has been silent for a month");
  void silent.terminate();
  assert.equal(waited(1000), 0, "one that was terminated a moment ago");

  await start("rests");
  assert.equal(waited(1000), 0, "one that never recorded");

  const outer = await start("starts");
  assert.ok(waited(1000) > 0, "two threads, one in the other");
  void outer.terminate();
  assert.equal(waited(1000), 0, "those that a terminated one had started");
  process.exit(0);
}

async function thread() {
  const place = follow(() => {})!;
  if (workerData !== "rests") place.heard();
  if (workerData === "starts") await start("records");
  parentPort!.postMessage("ready");
  setInterval(() => {}, 1000);
}

declare const process: { exit(code: number): never };
await (isMainThread ? main() : thread());
