// Profiler, as in the JS Self-Profiling specification or, if they differ observably,
// as in Chromium (docs/conformance.md).
//
// The code that makes traces is loaded with the first profile (recording/parts.ts).
import { RealEvent } from "../core/real";
import { defineProperty } from "../core/text";
import { loadParts, type ProfilerTrace } from "../recording/parts";
import { tape } from "../recording/sampler";
import type { Session } from "../recording/sessions";

export interface ProfilerInitOptions {
  /** Milliseconds between samples, rounded up to a multiple of the base. */
  sampleInterval: number;
  /** How many samples are kept. */
  maxBufferSize: number;
}

const sessions = new WeakMap<object, Session>();

/** Undefined for other objects: using it throws the TypeError that WebIDL requires if `this` is not a Profiler. */
const sessionOf = (profiler: object) => sessions.get(profiler)!;

/** Reads a required number by the rules of WebIDL. */
function required(options: ProfilerInitOptions, name: keyof ProfilerInitOptions): number {
  const value = options?.[name];
  if (value === undefined) throw TypeError(name + " is " + value);
  return +value;
}

// An anonymous class gets the name of its property, which minifiers do not change.
export const { Profiler } = {
  Profiler: class extends EventTarget {
    constructor(options: ProfilerInitOptions) {
      const limit = required(options, "maxBufferSize") >>> 0;
      const asked = required(options, "sampleInterval");
      const fault = isFinite(asked) ? asked < 0 && RangeError : TypeError;
      if (fault) throw fault("sampleInterval is " + asked);
      super();
      const chosen = tape.options.base!;
      const base = chosen > 0 ? chosen : 10;
      sessions.set(
        this,
        tape.begin({
          interval: Math.ceil(asked / base) * base || base,
          limit,
          onfull: () => this.dispatchEvent(new RealEvent("samplebufferfull")),
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
      if (session.ended >= 0) throw new DOMException("stopped", "InvalidStateError");
      tape.end(session);
      try {
        return await (await loadParts()).trace(session);
      } catch {
        // Nothing will read what waits, and its Errors keep alive all that their functions saw.
        if (!tape.sessions[0]) tape.entries = [];
        const none: object = { resources: [], frames: [], stacks: [], samples: [], fieldprof: { version: 1, lost: ["samples: no trace.js"] } };
        return none as ProfilerTrace;
      }
    }
  },
};

export type Profiler = InstanceType<typeof Profiler>;

// Members of a class are not enumerable, those of an interface are. A page may have given all
// objects what would be a getter here.
for (const name of ["sampleInterval", "stopped", "stop"]) {
  defineProperty(Profiler.prototype, name, { __proto__: null, enumerable: true } as PropertyDescriptor);
}
defineProperty(Profiler.prototype, Symbol.toStringTag, { __proto__: null, value: "Profiler", configurable: true } as PropertyDescriptor);
