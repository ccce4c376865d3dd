// Profiler, as the JS Self-Profiling specification has it and, where the two
// differ in what can be seen, as Chromium does (docs/conformance.md).
//
// What makes a trace is loaded when the first one stops (parts.ts); without it a
// trace still tells when samples were taken.
import { loadParts, type ProfilerTrace } from "./parts";
import type { Recording, Settings } from "./recording";
import { record } from "./sampler";

export interface ProfilerInitOptions {
  /** Milliseconds between samples, rounded up to a multiple of the base. */
  sampleInterval: number;
  /** Samples that are kept. */
  maxBufferSize: number;
}

/** What profilers to come are made with. */
export const defaults: { base: number; clock?: Settings["clock"] } = { base: 10 };

const recordings = new WeakMap<object, Recording>();
const stopped = new WeakSet<object>();

/** The recording of a profiler, for those who know more than the standard. */
export function recordingOf(profiler: object): Recording {
  const recording = recordings.get(profiler);
  if (!recording) throw new TypeError("Illegal invocation");
  return recording;
}

/** Reads a required number as WebIDL does. */
function required(options: ProfilerInitOptions, name: keyof ProfilerInitOptions): number {
  const value = options?.[name];
  if (value === undefined) throw new TypeError(name + " is required");
  return +value;
}

/** What remains to be told where trace.js cannot be loaded. */
function bareTrace(recording: Recording): ProfilerTrace {
  const samples: ProfilerTrace["samples"] = [];
  recording.each((timestamp, _capture, _kind, ticks) => {
    while (ticks--) samples.push({ timestamp });
  });
  const { clock, interval, seed, account, lost } = recording;
  lost.add("stacks: the script that reads them could not be loaded");
  return { resources: [], frames: [], stacks: [], samples, fieldprof: { version: 1, clock, interval, seed, account, lost: [...lost] } };
}

// A class takes the name of the property it is the value of, which no minifier
// changes.
export const { Profiler } = {
  Profiler: class extends EventTarget {
    constructor(options: ProfilerInitOptions) {
      const limit = required(options, "maxBufferSize") >>> 0;
      const asked = required(options, "sampleInterval");
      if (!isFinite(asked)) throw new TypeError("sampleInterval must be finite");
      if (asked < 0) throw new RangeError("sampleInterval must not be negative");
      super();
      const { base, clock } = defaults;
      const onfull = () => this.dispatchEvent(new Event("samplebufferfull"));
      recordings.set(this, record({ interval: Math.ceil(asked / base) * base || base, limit, clock, onfull }));
    }

    get sampleInterval(): number {
      return recordingOf(this).interval;
    }

    get stopped(): boolean {
      return !!recordingOf(this) && stopped.has(this);
    }

    async stop(): Promise<ProfilerTrace> {
      const recording = recordingOf(this);
      if (stopped.has(this)) throw new DOMException("The profiler has been stopped", "InvalidStateError");
      stopped.add(this);
      recording.stop();
      try {
        return await (await loadParts()).trace(recording);
      } catch {
        return bareTrace(recording);
      }
    }
  },
};

/** What a page calls a Profiler. */
export type Profiler = InstanceType<typeof Profiler>;

// Members of a class are hidden, those of an interface are not.
for (const name of ["sampleInterval", "stopped", "stop"]) Object.defineProperty(Profiler.prototype, name, { enumerable: true });
Object.defineProperty(Profiler.prototype, Symbol.toStringTag, { value: "Profiler", configurable: true });
