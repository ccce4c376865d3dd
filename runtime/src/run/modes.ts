// The order of `instrument run` and the report it gets at the end, the same in Node and
// in pages.
import { checks } from "../core/flag";
import { writeJSON } from "../core/json";
import type { RawRecording } from "../recording/parts";
import type { Settings } from "../recording/sessions";
import { raw } from "../trace/raw";
import { hold, start, warm } from "./start";

/** The modes of package engine. */
export type Mode = "profile" | "clean" | "idle" | "armed";

/** The program to run, and how to run it. */
export interface Order {
  mode: Mode;
  /** ms between ticks. */
  interval: number;
  seed: number;
  /** ms for which ticks are held back after the start. */
  after?: number;
  clock?: Settings["clock"];
  /** The program as the user named it, and its arguments. */
  path: string;
  args: string[];
  /** The bundle is an ES module. */
  module: boolean;
}

/** An error that the program did not catch. */
export interface Failure {
  what: string;
  stack: string;
}

/** The result of a run. Durations are in milliseconds. */
export interface Report {
  exitCode: number;
  failure?: Failure;
  /** The host asked for the end. */
  stopped?: boolean;
  elapsed: number;
  cpu: number;
  recording?: RawRecording;
  /** Why there is no recording, though there should be one. */
  unsent?: string;
}

/** A report as text. The program may have given its objects a toJSON that throws and that cannot be changed. */
export function textOf(report: Report): string {
  try {
    return writeJSON(report);
  } catch (error) {
    return `{"exitCode":${report.exitCode},"unsent":${writeJSON(describe("", error).what)}}`;
  }
}

/** Begins in the given mode. Returns a function that ends it, and in mode profile gives the recording. */
export async function begin(order: Order, seen: (time: number) => void): Promise<() => RawRecording | undefined> {
  if (order.mode === "armed") {
    // The flag is up at every check, and every check captures nothing.
    checks.recorder = () => {
      checks.flag[0] = 1;
    };
    checks.flag[0] = 1;
  }
  if (order.mode !== "profile") return () => undefined;
  const warming = await warm(order);
  const recording = start(order, seen);
  warming.stop();
  if (order.after) hold(order.after);
  return () => {
    recording.stop();
    return raw(recording);
  };
}

/** Describes an error as engines do; it may be anything, and hostile. */
export function describe(prefix: string, error: unknown): Failure {
  let what = "(a value that cannot be shown)";
  let stack = "";
  try {
    what = String(error);
    if (typeof error === "object" && error !== null && "stack" in error) stack = String(error.stack);
  } catch {
    // Use what was found so far.
  }
  return { what: prefix + what, stack };
}
