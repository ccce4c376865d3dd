// The code that a page needs only once it has a profile: reading stacks and function tables,
// making traces. It is a script of its own (entry/trace.ts), loaded with the first
// recording.
import type { Account, Recording } from "./recording";
import type { Session } from "./sessions";
import type { Overhead } from "./meter";

/** The trace of the JS Self-Profiling specification, with our additions. */
export interface ProfilerTrace {
  resources: string[];
  /** ignored, in our own traces: a source map says that the function is not the user's own. */
  frames: { name: string; resourceId?: number; line?: number; column?: number; ignored?: boolean }[];
  stacks: { parentId?: number; frameId: number }[];
  samples: ProfilerSample[];
  /** How the trace was made; only in our own traces. */
  fieldprof?: {
    version: number;
    clock: string;
    /** Milliseconds between ticks. */
    interval: number;
    seed: number;
    account: Account;
    /** How late the coordinator was, and how long ticks waited for a check. */
    late: Spread;
    skid: Spread;
    /** The losses and their reasons, for people to read. */
    lost: string[];
    /** The overhead of recording, where it has a budget (maxOverhead). */
    overhead?: Overhead;
    /** The ids that build tools gave scripts and their source maps, by resource. */
    debugIds?: Record<string, string>;
    /** In order of time; none if it is absent. */
    marks?: TraceMark[];
  };
}

/** Something that happened, as profile.Mark in Go. Times are in milliseconds since the time origin. */
export interface TraceMark {
  what: What;
  /** The type of the event, the name of the measure, … */
  name: string;
  /** The element of an interaction: `button#save`. */
  target?: string;
  /** More, for people. */
  detail?: string;
  time: number;
  /** Absent for a moment. */
  duration?: number;
  /** Of an interaction, if known: until its first handler, its handlers, and until the next picture. */
  inputDelay?: number;
  processing?: number;
  presentation?: number;
}

/** The kinds of mark. */
export type What = "interaction" | "long-frame" | "long-task" | "load" | "navigation" | "mark" | "measure" | "frame" | "note";

/** A summary of delays, in milliseconds. */
export interface Spread {
  count: number;
  median: number;
  p95: number;
  max: number;
}

export interface ProfilerSample {
  /** Milliseconds since the time origin. */
  timestamp: number;
  stackId?: number;
  /** The engine's activity, where that is known. */
  marker?: "script" | "gc" | "style" | "layout" | "paint" | "other";
  /** Its ticks; this and the fields that follow only in our own traces. */
  weight?: number;
  kind?: string;
  /** Milliseconds from the tick to the check that took it. */
  skid?: number;
}

/** A recording as it was captured, for `instrument run`: deployed positions, no tables. */
export interface RawRecording {
  version: 1;
  clock: string;
  interval: number;
  seed: number;
  /** By performance.now(). */
  started: number;
  ended: number;
  /** The difference to add to those times for milliseconds since 1970. */
  origin: number;
  account: Account;
  late: number[];
  lost: string[];
  overhead?: Overhead;
  strings: string[];
  /** Flat: url and name (indices of strings), line, column. */
  frames: number[];
  /** Flat: parent (index of a stack, -1 for none), frame (index). Parents come first. */
  stacks: number[];
  samples: { time: number[]; stack: number[]; weight: number[]; kind: number[]; skid: number[]; labels?: number[] };
  /** The sets that samples.labels are indices of, -1 for none; only where code in Node has labelled samples. */
  labelSets?: Record<string, string>[];
}

export interface Parts {
  /** Reads the tape and looks after the clock, from now on until nothing records. */
  attend(): void;
  /**
   * The standard trace. Fetches function tables, never rejects. Frames that must not
   * show are left out or, on request, named "unknown".
   */
  trace(session: Session, asUnknown?: boolean): Promise<ProfilerTrace>;
  /** The trace of the samples from one time to another, by performance.now(); the session goes on. */
  cut(session: Session, from: number, to: number): Promise<ProfilerTrace>;
  recordingOf(session: Session): Recording;
  raw(recording: Recording): RawRecording;
  /** A .cpuprofile in deployed positions, as an object for JSON. */
  cpuprofile(recording: Recording): Promise<object>;
}

/** Loads the parts. Their URL ends in `again`, which is empty at first. */
type Loader = (again: string) => Promise<Parts>;

let load: Loader | undefined; // runners have the parts at once
let loading: Promise<Parts> | 0;
let again = "";

/** Sets how the parts are loaded: each bundle's entry calls it. */
export function setLoader(loader: Loader) {
  load = loader;
}

/**
 * Loads the parts, once. Rejects if that is impossible now, and tries again when called again.
 * Chromium remembers for the life of a document that an import failed, so the next attempt has
 * another URL, one of ten.
 *
 * A page may be left while it loads, and come back: Firefox may have lost the promise of its
 * import then, so it is made once more. An import that has succeeded is not requested again.
 */
export function loadParts(): Promise<Parts> {
  return (loading ||= new Promise((done, fail) => {
    const ask = () => load?.(again).then(done, failed) ?? fail();
    // WebKit has ended the request of such a page, or the network is gone.
    const failed = () => {
      again = again[8] || again + "?";
      fail((loading = 0));
    };
    globalThis.addEventListener?.("pageshow", ask);
    void ask();
  }));
}
