// Profiler, as the JS Self-Profiling specification has it and, where the two
// differ in what can be seen, as Chromium does (docs/conformance.md).
//
// What makes a trace is loaded with the first one (parts.ts).
import { loadParts, type ProfilerTrace } from "../recording/parts";
import { tape } from "../recording/sampler";
import type { Session, Settings } from "../recording/sessions";

export interface ProfilerInitOptions {
  /** Milliseconds between samples, rounded up to a multiple of the base. */
  sampleInterval: number;
  /** Samples that are kept. */
  maxBufferSize: number;
}

/** What profilers to come are made with. */
export const defaults: { base: number; clock?: Settings["clock"] } = { base: 10 };

const sessions = new WeakMap<object, Session>();

/** What is no profiler has none, and to look into that is the TypeError that WebIDL asks for. */
const sessionOf = (profiler: object) => sessions.get(profiler)!;

/** Reads a required number as WebIDL does. */
function required(options: ProfilerInitOptions, name: keyof ProfilerInitOptions): number {
  const value = options?.[name];
  if (value === undefined) throw TypeError(name + " is " + value);
  return +value;
}

/** What is left to tell where trace.js cannot be loaded. */
const noTrace = (): object => ({ resources: [], frames: [], stacks: [], samples: [], fieldprof: { version: 1, lost: ["samples: trace.js was not loaded"] } });

// A class takes the name of the property it is the value of, which no minifier
// changes.
export const { Profiler } = {
  Profiler: class extends EventTarget {
    constructor(options: ProfilerInitOptions) {
      const limit = required(options, "maxBufferSize") >>> 0;
      const asked = required(options, "sampleInterval");
      if (!isFinite(asked) || asked < 0) throw (isFinite(asked) ? RangeError : TypeError)("sampleInterval is " + asked);
      super();
      const { base, clock } = defaults;
      sessions.set(
        this,
        tape.begin({
          interval: Math.ceil(asked / base) * base || base,
          limit,
          clock,
          onfull: () => this.dispatchEvent(new Event("samplebufferfull")),
        }),
      );
    }

    get sampleInterval(): number {
      return sessionOf(this).settings.interval;
    }

    get stopped(): boolean {
      return sessionOf(this).ended >= 0;
    }

    async stop(): Promise<ProfilerTrace> {
      const session = sessionOf(this);
      if (session.ended >= 0) throw new DOMException("already stopped", "InvalidStateError");
      tape.end(session);
      try {
        return await (await loadParts()).trace(session);
      } catch {
        return noTrace() as ProfilerTrace;
      }
    }
  },
};

/** What a page calls a Profiler. */
export type Profiler = InstanceType<typeof Profiler>;

// Members of a class are hidden, those of an interface are not.
const enumerable = true;
Object.defineProperties(Profiler.prototype, {
  sampleInterval: { enumerable },
  stopped: { enumerable },
  stop: { enumerable },
  [Symbol.toStringTag]: { value: "Profiler", configurable: true },
});
