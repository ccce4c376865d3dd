// Records a program from its first line.
import { now } from "../core/real";
import { record } from "../recording/reader";
import type { Recording } from "../recording/recording";
import { tape } from "../recording/sampler";
import type { Settings } from "../recording/sessions";

export type Pace = Pick<Settings, "interval" | "seed" | "clock">;

/** How long to wait for the worker, in ms; after that checks poll the clock until it runs. */
const patience = 1000;

/** Starts the coordinator: a program that never rests would not receive its first message. */
export async function warm({ interval, seed, clock }: Pace) {
  const polling = tape.source;
  const warming = record({ interval, seed, clock, limit: 1 });
  const end = now() + patience;
  while (clock !== "poll" && tape.source === polling && now() < end && !warming.notes.size) await new Promise((resolve) => setTimeout(resolve, 1));
  return warming;
}

/** Starts to record; seen is called with each sample, mostly from inside the program. */
export function start({ interval, seed, clock }: Pace, seen: (time: number) => void): Recording {
  const recording = record({ interval, seed, clock, limit: Infinity });
  const add = tape.add.bind(tape);
  tape.add = (time, ...entry) => {
    add(time, ...entry);
    seen(time); // it may take ticks of its own
  };
  return recording;
}
