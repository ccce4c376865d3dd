// The script that `instrument run --engine node` starts in Node: it runs the bundle as if
// Node had been given the program itself, records, and writes a report when the process
// ends. Its argument is the name of a file with an order.
import fs from "node:fs";
import Module from "node:module";
import { dirname } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers";
import { pathToFileURL } from "node:url";
import { now } from "../core/real";
import { idly } from "../core/timers";
import { Signals } from "../node/signals";
import type { RawRecording } from "../recording/parts";
import { Collections } from "../trace/collections";
import { Stream } from "./stream";
import { begin, describe, textOf, type Failure, type Order, type Report } from "./modes";

interface NodeOrder extends Order {
  /** The bundle, the file for the report, and a file whose appearance means stop. */
  script: string;
  report: string;
  stop: string;
  /** How files with what is streamed begin; none if nothing is. */
  live?: string;
  /** The script runs in a promise job, as the body of an ES module does. */
  job?: boolean;
}

/** How long a program that handles signals may take to end after one, in ms. */
const grace = 2000;

// As they are now: the program may replace them, as mocks of file systems do.
const { existsSync, readFileSync, renameSync, watch, writeFileSync } = fs;

const order = JSON.parse(readFileSync(process.argv[2], "utf8")) as NodeOrder;
process.argv.splice(1, Infinity, order.path, ...order.args);
const profiles = order.mode === "profile";
const exit = process.reallyExit.bind(process);
const { queueMicrotask, setInterval, setTimeout } = globalThis;
const { cpuUsage, listenerCount, rawListeners } = process;
const signals = new Signals(["SIGINT", "SIGTERM"], (signal) => quit(128 + (signal === "SIGINT" ? 2 : 15), false));
const collections = profiles ? new Collections() : undefined;

let end: () => RawRecording | undefined = () => undefined;
let began = 0;
let cpu = 0;
let failure: Failure | undefined;
let settled = true; // the module has run to its end
let idle = false; // the loop has nothing left to do: the program has not called process.exit
let thrown: { error: unknown } | undefined; // by its body
let written = false;
let stopAt = Infinity; // when to stop, if that was postponed
let lastLook = 0;
let stream: Stream | undefined;

/** Called with each sample, from inside the program, which may be in an endless loop. */
function seen(time: number) {
  if (!written) stream?.look(time);
  if (time - lastLook < 50) return;
  lastLook = time;
  if (time >= stopAt || existsSync(order.stop)) stop();
}

function stop() {
  if (written) return;
  if (stopAt === Infinity) {
    const handles = !signals.isOurs("SIGINT") || !signals.isOurs("SIGTERM");
    stopAt = now() + (handles && readFileSync(order.stop, "utf8") === "signal" ? grace : 0);
  }
  const left = stopAt - now();
  if (left > 0) setTimeout(stop, left);
  else quit(0, true);
}

/** Ends the process from inside the program, with what is recorded. */
function quit(code: number, stopped: boolean) {
  write(code, stopped);
  exit(code);
}

function write(exitCode: number, stopped: boolean) {
  if (written) return;
  written = true;
  const elapsed = now() - began;
  const used = cpuTime() - cpu;
  const recording = end();
  stream?.end();
  if (recording && collections) collections.mark(recording);
  const report: Report = { exitCode, failure, stopped, elapsed, cpu: used, recording };
  writeFileSync(order.report + ".part", textOf(report));
  renameSync(order.report + ".part", order.report);
}

/** Processor time of the process, in ms. */
function cpuTime() {
  const { user, system } = cpuUsage.call(process);
  return (user + system) / 1000;
}

function listen() {
  signals.begin();
  const look = () => {
    if (existsSync(order.stop)) stop();
  };
  const lookOften = () => (setInterval(look, 200) as { unref?(): void }).unref?.();
  try {
    const watcher = watch(dirname(order.stop), look);
    watcher.on("error", lookOften);
    watcher.unref();
  } catch {
    lookOften(); // editors and build tools have taken all of the system's watchers
  }
  look();
}

/** Handles an error that the program did not catch; Node would print deployed positions. */
function fail(error: unknown, origin: string) {
  const handled = listenerCount.call(process, "uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback();
  if (handled) return;
  const ofPromise = origin === "unhandledRejection" && thrown?.error !== error;
  failure = describe(ofPromise ? "Uncaught (in promise) " : "Uncaught ", error);
  const monitors = rawListeners.call(process, "uncaughtExceptionMonitor");
  for (const monitor of monitors.slice(monitors.indexOf(fail) + 1)) Reflect.apply(monitor, process, [error, origin]); // else they would not be called
  process.exit(1);
}

function run() {
  if (order.module) {
    settled = false;
    process.on("beforeExit", rest);
    void heed(import(pathToFileURL(order.script).href)).finally(() => (settled = true));
  } else if (order.job) void heed(Promise.resolve().then(compile));
  else compile();
}

/**
 * Hands the error of a module's body to Node as an uncaught one of a promise, as Node does itself: it asks the program's listeners of errors,
 * and then fail. Listeners of rejections are not asked, and --unhandled-rejections does not matter.
 */
function heed(body: Promise<unknown>): Promise<unknown> {
  return body.catch((error) => {
    thrown = { error };
    let handled;
    try {
      handled = process._fatalException?.(error, true);
    } catch (second) {
      failure = describe("Uncaught ", second); // of a listener
      quit(7, false);
    }
    if (!handled) throw error;
  });
}

/** The loop is empty, unless a listener fills it: then one of these tasks comes first. A listener that calls process.exit does so before the job. */
function rest() {
  const wake = () => (idle = false);
  queueMicrotask(() => (idle = true));
  idly(wake, 0);
  setImmediate(wake).unref();
}

function compile() {
  const main = new Module(".");
  main.filename = order.path;
  main.paths = Module._nodeModulePaths(dirname(order.path));
  process.mainModule = main;
  main._compile(readFileSync(order.script, "utf8"), order.script, "commonjs");
  main.loaded = true;
}

process.on("exit", (code: number) => {
  if (!settled && idle && !failure && !code) process.exitCode = code = 13; // Node's code for an await that never ends
  write(code, false);
});
process.on("uncaughtExceptionMonitor", fail);
if (profiles) listen();

void begin(order, seen).then((ending) => {
  // In a task of its own: an error of the program must not reject this promise. Timers come next after a main script, which is
  // CommonJS, and immediates after a module, which Node reads meanwhile.
  (order.job ? setTimeout : setImmediate)(() => {
    end = ending;
    if (profiles && order.live) stream = new Stream(order.live, order);
    cpu = cpuTime();
    began = now();
    run();
    // Node reports collections in a turn of the loop, which a program of one task never takes.
    if (profiles) setImmediate(() => {});
  });
});
