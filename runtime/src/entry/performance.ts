// The interface before Profiler: performance.profile, from the proposal of 2018 and the
// tests of 2019. A module of its own:
//
//	import { install } from "@fieldprof/runtime/performance";
//	install();
//	const profiler = await performance.profile({ sampleInterval: 10, maxBufferSize: 10000, categories: ["js"] });
//
// With categories, as in the proposal, profiling stops when the buffer is full and the
// trace is the proposal's version 1; without, as in the tests, the buffer may be
// unlimited and the trace is the standard's.
import { RealEvent } from "../core/real";
import { loadParts, setLoader, type ProfilerTrace } from "../recording/parts";
import { tape } from "../recording/sampler";
import type { Session } from "../recording/sessions";

export interface ProfileOptions {
  /** Milliseconds between samples; rounded up to a multiple of 10. */
  sampleInterval: number;
  /** How many samples are kept; required with categories. */
  maxBufferSize?: number;
  /** Which frames are traced: "js". */
  categories?: readonly string[];
}

/** Version 1 of the proposal's trace. Ids are the keys of stackFrames. */
export interface TraceVersion1 {
  version: 1;
  options: ProfileOptions;
  profile: {
    /** Functions as "name @ file:line:column"; "unknown" for those that must not show. */
    strings: string[];
    stackFrames: Record<number, { name: number; parent?: number }>;
    /** A sample while nothing ran has no stack. */
    "main-thread": { type: "stack"; timestamp: number; stack?: number }[];
  };
}

const base = 10;

/** The result of performance.profile. */
export class PerformanceProfiler extends EventTarget {
  /** The options in force: sampleInterval is the actual one. */
  readonly options: Readonly<ProfileOptions & { maxBufferSize: number }>;
  /** Called when a sample does not fit. */
  onsamplebufferfull: ((event: Event) => unknown) | null = null;
  private readonly session: Session;
  private trace: Promise<TraceVersion1 | ProfilerTrace> | undefined;

  constructor(options: ProfileOptions) {
    super();
    this.options = settled(options);
    const { sampleInterval: interval, maxBufferSize: limit } = this.options;
    this.session = tape.begin({ interval, limit, onfull: () => this.full() });
  }

  /** Ends profiling once, and returns the trace. */
  stop(): Promise<TraceVersion1 | ProfilerTrace> {
    return (this.trace ||= this.finish());
  }

  private full() {
    if (this.options.categories) tape.end(this.session);
    const event = new RealEvent("samplebufferfull");
    this.dispatchEvent(event);
    this.onsamplebufferfull?.(event);
  }

  private async finish() {
    tape.end(this.session);
    const { trace } = await loadParts();
    return this.options.categories ? version1(this.options, await trace(this.session, true)) : trace(this.session);
  }
}

function settled({ sampleInterval, maxBufferSize, categories }: ProfileOptions) {
  if (!(sampleInterval >= 0 && sampleInterval < Infinity)) throw new RangeError(`sampleInterval is ${sampleInterval}, not a number of milliseconds`);
  const limit = maxBufferSize === undefined && !categories ? Infinity : Number(maxBufferSize);
  if (!(limit >= 0)) throw new TypeError(`maxBufferSize is ${maxBufferSize}, not a number of samples`);
  if (categories && !(categories.length === 1 && categories[0] === "js")) throw new DOMException('the only category is "js"', "NotSupportedError");
  const interval = Math.ceil(sampleInterval / base) * base || base;
  return Object.freeze({ sampleInterval: interval, maxBufferSize: limit, ...(categories && { categories: Object.freeze([...categories]) }) });
}

function version1(options: ProfileOptions, { resources, frames, stacks, samples }: ProfilerTrace): TraceVersion1 {
  const stackFrames: TraceVersion1["profile"]["stackFrames"] = {};
  stacks.forEach(({ frameId, parentId }, id) => {
    stackFrames[id] = parentId === undefined ? { name: frameId } : { name: frameId, parent: parentId };
  });
  return {
    version: 1,
    options,
    profile: {
      strings: frames.map(({ name, resourceId, line, column }) => (resourceId === undefined ? name : `${name} @ ${resources[resourceId]}:${line}:${column}`)),
      stackFrames,
      "main-thread": samples.map(({ timestamp, stackId }) => (stackId === undefined ? { type: "stack", timestamp } : { type: "stack", timestamp, stack: stackId })),
    },
  };
}

/** Starts a profiler; rejects unsupported options. */
export async function profile(options: ProfileOptions): Promise<PerformanceProfiler> {
  return new PerformanceProfiler(options);
}

declare global {
  interface Performance {
    profile?: typeof profile;
  }
}

/** Defines performance.profile, unless the page has it. */
export function install(): void {
  if (!performance.profile) Object.defineProperty(performance, "profile", { value: profile, writable: true, configurable: true });
}

setLoader(async (again) => import(new URL("trace.js", import.meta.url) + again));
