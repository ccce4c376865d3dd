// The script that `instrument run --engine chromium` (firefox, webkit) loads into its
// page: it runs the bundle and records, provides what programs expect beyond the page
// (process, a console on the host's streams), and reports to the host at the end.
import { Idle, Program } from "../core/kinds";
import { now } from "../core/real";
import { later } from "../core/timers";
import type { RawRecording } from "../recording/parts";
import { tape } from "../recording/sampler";
import { methods } from "./console";
import { begin, describe, textOf, type Failure, type Order, type Report } from "./modes";
import { installPending } from "./pending";
import { installProcess } from "./process";
import { Talk } from "./talk";

interface PageOrder extends Order {
  engine: string;
  directory: string;
  env: Record<string, string>;
  /** URL of the bundle; the host listens in the same folder. */
  script: string;
}

/** A program that rests for this long, in ms, has ended: the browser's own promises cannot be counted. */
const rest = 50;
/** How often a program that never rests asks the host whether to stop, in ms. */
const askEvery = 1000;

const order = JSON.parse(document.getElementById("order")!.textContent!) as PageOrder;
const talk = new Talk(
  new URL("./", order.script).href,
  () => finish(0, { stopped: true }),
  () => tape.source.settle(true), // the wait was ours, not one of the program's functions'
);
const exiting = { name: "exit" }; // process.exit throws it

let end: () => RawRecording | undefined = () => undefined;
let began = now();
let over = false;

interface Ending {
  failure?: Failure;
  stopped?: boolean;
  /** When the program came to rest. */
  rested?: number;
}

function finish(exitCode: number, { failure, stopped, rested }: Ending = {}) {
  if (over) return;
  over = true;
  const elapsed = (rested ?? now()) - began;
  const recording = end();
  if (recording && rested !== undefined) cut(recording, rested);
  const report: Report = { exitCode, failure, stopped, elapsed, cpu: 0, recording };
  talk.end(textOf(report));
}

/** Removes the wait that showed that the program had ended, and our own work in it. */
function cut(recording: RawRecording, rested: number) {
  const { samples, account } = recording;
  for (let kind; (kind = samples.kind.at(-1)), (kind === Idle || kind === Program) && samples.time.at(-1)! > rested; ) {
    const weight = samples.weight.at(-1)!;
    account[kind === Idle ? "idle" : "program"] -= weight;
    account.raised -= weight;
    for (const column of Object.values(samples)) column.pop();
  }
  recording.ended = rested;
}

/** Ends the program when nothing that it started is pending, for a while. */
function settle() {
  const rested = now();
  const { said } = talk;
  later(() => {
    if (pending.count > 0) return; // settle is called again
    if (talk.said !== said) settle();
    else finish(Number(process.exitCode) & 0xff, { rested });
  }, rest);
}

function fail(prefix: string, error: unknown) {
  finish(1, { failure: describe(prefix, error) });
}

/**
 * Whether the program handles an error. Ours is the first of the listeners, and no browser has a
 * place for a last one, so the others are asked by a copy of the event.
 */
function isHandled(event: Event, copy: Event): boolean {
  event.stopImmediatePropagation();
  if (dispatchEvent(copy)) return false;
  event.preventDefault();
  return true;
}

function exit(code?: unknown): never {
  finish(Number(code ?? process.exitCode ?? 0) & 0xff);
  throw exiting;
}

/** Called with each sample, from inside the program, which may be in an endless loop. */
function seen(time: number) {
  if (time - talk.last > askEvery) talk.flush();
}

function run() {
  began = now();
  if (order.module) {
    import(order.script).catch(reportError).then(pending.release);
    return;
  }
  const script = document.createElement("script");
  script.src = order.script;
  script.onload = pending.release;
  script.onerror = () => fail("", "the page could not load the program");
  document.head.append(script);
}

addEventListener("error", (event) => {
  if (!(event instanceof ErrorEvent) || !event.isTrusted) return; // an image's, or a copy
  const { error, message } = event as { error: unknown; message: string };
  if (!error && message.startsWith("ResizeObserver loop")) return; // none: the observers go on in the next frame
  if (!isHandled(event, new ErrorEvent("error", event))) fail("Uncaught ", error ?? message);
});
addEventListener("unhandledrejection", (event) => {
  if (event.isTrusted && !isHandled(event, new PromiseRejectionEvent("unhandledrejection", event))) fail("Uncaught (in promise) ", event.reason);
});

const process = installProcess(order, (stream, text) => talk.say(stream, text), exit);
Object.assign(console, methods((stream, text) => talk.say(stream, text + "\n"), now));
const pending = installPending(settle);

void begin(order, seen).then((ending) => {
  end = ending;
  later(run, 0); // in a task of its own
});
