// Long tasks: the browser's, or stretches in which ticks found the thread busy.
import { Idle } from "../core/kinds";
import type { Entry } from "../recording/sessions";
import { observeEntries, reports, type Rate, type Source } from "./entries";
import { tidy, type Found, type See } from "./found";
import { now } from "./guard";

/** Tasks that take longer are long, in milliseconds, as in the standard. */
export const long = 50;
/** After that long without ticks the page was not busy, but frozen, in milliseconds. */
const gap = 1000;

/** The thread may become busy that long before a tick shows it, in milliseconds. */
const near = 40;

/** Whether the browser reports long tasks itself. */
export const tellsTasks = reports("longtask");

export function followTasks(rate: Rate, see: See): Source[] {
  const source = observeEntries("longtask", ({ name, startTime: time, duration }) => {
    if (!rate.admits(now())) return;
    const elsewhere = name === "self" ? [] : ["its functions: it ran in another frame or outside of any (" + name + ")"];
    see(tidy({ what: "long-task", name: "task", time, duration }, elsewhere));
  });
  return source ? [source] : [];
}

/** Stretches in which all ticks found the thread busy. */
export class Busy {
  private from = NaN;
  private to = NaN;
  /** When the thread was last found idle: there a stretch begins. */
  private idle = NaN;

  constructor(private readonly ended: (from: number, to: number) => void) {}

  /** Sees what was read from the tape, in order of time. */
  see({ time, due, kind, missed }: Pick<Entry, "time" | "due" | "kind" | "missed">) {
    const idle = kind === Idle || missed > 0;
    if (idle || due - this.to > gap || time < this.to) this.end();
    if (idle) this.idle = time;
    else {
      if (!(this.from >= 0)) this.from = due - this.idle < near ? this.idle : due;
      this.to = time;
    }
  }

  /** Ends the stretch, if there is one: nothing is known of what follows. */
  end() {
    const { from, to } = this;
    this.from = this.to = NaN;
    if (to - from > long) this.ended(from, to);
  }

  /** The stretch that has not ended. */
  get now(): Found | undefined {
    return this.to - this.from > long ? busyTask(this.from, this.to) : undefined;
  }
}

/** A long task, as ticks found it. */
export function busyTask(from: number, to: number): Found {
  return tidy({ what: "long-task", name: "busy", detail: "as ticks found it", time: from, duration: to - from }, [
    "its exact times, and whether it was one task: ticks found the thread busy",
  ]);
}
