// Records a program from its first line.
import { word } from "../clock/board";
import { Shared } from "../clock/shared";
import { bareThread } from "../core/bare";
import { now } from "../core/real";
import { record } from "../recording/reader";
import type { Recording } from "../recording/recording";
import { tape } from "../recording/sampler";
import type { Settings } from "../recording/sessions";

export type Pace = Pick<Settings, "interval" | "seed" | "clock">;

/** After: ticks are held back for so many milliseconds; 0 or undefined: they are not. */
type Warming = Pace & { after?: number };

/** How many ticks are kept, as in goja (gojahost.MaxSamples); the oldest fall out. */
const most = 1 << 20;

/** How long to wait for the worker, in ms; after that checks poll the clock until it runs. */
const patience = 1000;
/** The same where ticks are held back, which only the worker can do. */
const patienceHeld = 60_000;

/** Starts the coordinator: a program that never rests would not receive its first message. */
export async function warm({ interval, seed, clock, after }: Warming) {
  const polling = tape.source;
  const warming = record({ interval, seed, clock, limit: 1, lines: true });
  const end = now() + (after ? patienceHeld : patience);
  while (clock !== "poll" && tape.source === polling && now() < end && !warming.notes.size) await new Promise((resolve) => setTimeout(resolve, 1));
  return warming;
}

/** Starts to record; seen is called with each sample, mostly from inside the program. */
export function start({ interval, seed, clock }: Pace, seen: (time: number) => void): Recording {
  const recording = record({ interval, seed, clock, limit: most, ring: true, lines: true });
  const add = tape.add.bind(tape);
  tape.add = (time, ...entry) => {
    add(time, ...entry);
    seen(time); // it may take ticks of its own
  };
  return recording;
}

/**
 * Holds ticks back for so many milliseconds. Another thread lets them go, since a program that settles
 * may never rest; one that rests meanwhile loses the coordinator, which seems to have died.
 */
export function hold(ms: number) {
  const { source } = tape;
  const threads = globalThis.process?.getBuiltinModule?.("worker_threads");
  if (!(source instanceof Shared) || !threads) throw new Error("ticks can be held back only in Node, and with shared memory");
  source.run(0);
  const { memory, words } = source.coordinator.board;
  const workerData = { memory, ms, state: word.State, paused: words[word.State] };
  new threads.Worker(release, { ...bareThread(), eval: true, workerData }).unref();
}

const release = `
const { memory, ms, state, paused } = require("node:worker_threads").workerData;
const words = new Int32Array(memory);
if (Atomics.wait(words, state, paused, ms) === "timed-out" && Atomics.compareExchange(words, state, paused, paused + 1) === paused) Atomics.notify(words, state);
`;
