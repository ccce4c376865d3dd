// Recording from code: start() and stop().
import type { ProfilerTrace, RawRecording } from "../recording/parts";
import { record } from "../recording/reader";
import type { Recording } from "../recording/recording";
import type { Overhead } from "../recording/meter";
import { Collections } from "../trace/collections";
import { captured } from "./captured";
import { Finished } from "./finished";
import { appName, threadName } from "./names";
import { otlpOf } from "./otlp";
import { pprofOf } from "./pprof";

export interface StartOptions {
  /** Milliseconds between ticks, at least 0.05; 10 by default. */
  interval?: number;
  /** Where ticks come from; auto, the default, takes shared memory. */
  clock?: "auto" | "shared" | "poll";
  /** The recording ends itself if it takes more than this, in percent of the time that the thread is busy; by default it does not. */
  maxOverhead?: number;
  /** How many samples are kept, the last ones; a million by default. */
  limit?: number;
  /** The service's name in the profile; by default its script's. */
  name?: string;
  /** How many values a label may have in the profile, those with most samples; 200 by default. Others become "(other)". */
  labelValues?: number;
}

let running: { recording: Recording; collections: Collections; options: StartOptions } | undefined;

/** Starts recording this thread. Throws if a recording of start is running. The preload's does not matter. */
export function start(options: StartOptions = {}): void {
  const { interval = 10, clock, limit = 1_000_000, maxOverhead } = options;
  if (running) throw new Error("fieldprof: a recording is running: stop() ends it");
  if (!(interval >= 0.05 && interval < Infinity)) throw new RangeError(`fieldprof: an interval of ${interval} ms is not at least 0.05`);
  if (!(limit >= 1)) throw new RangeError(`fieldprof: a limit of ${limit} samples is not at least 1`);
  if (maxOverhead !== undefined && !(maxOverhead > 0)) throw new RangeError(`fieldprof: a maxOverhead of ${maxOverhead} % is not above 0`);
  running = { recording: record({ interval, limit, ring: true, lines: true, clock, maxOverhead }), collections: new Collections(), options };
}

/** Ends the recording. Throws if none is running. */
export function stop(): Profile {
  if (!running) throw new Error("fieldprof: no recording is running: start() begins one");
  const { recording, collections, options } = running;
  running = undefined;
  try {
    recording.stop();
    return new Profile(captured(recording, collections), options);
  } finally {
    collections.end();
  }
}

/** A finished recording. Function tables and source maps are read when a format is first asked for. */
export class Profile {
  private finished: Promise<Finished> | undefined;

  /** @internal */
  constructor(
    private readonly raw: RawRecording,
    private readonly options: StartOptions,
  ) {}

  /** Milliseconds from start to stop. */
  get duration(): number {
    return this.raw.ended - this.raw.started;
  }

  /** The overhead of recording, where it had a budget. */
  get overhead(): Overhead | undefined {
    return this.raw.overhead;
  }

  /** How many ticks checks took. If 0, the code has no checks: see `instrument`. */
  get taken(): number {
    return this.raw.account.taken;
  }

  /** For `go tool pprof` and Pyroscope, gzipped: original names, and labels on samples. */
  async toPprof(): Promise<Uint8Array> {
    return pprofOf(await this.finish());
  }

  /** For Chrome's DevTools and VS Code, as an object for JSON: original names. */
  async toCpuprofile(): Promise<object> {
    return (await this.finish()).cpuprofile();
  }

  /** The trace of the JS Self-Profiling API, in the positions of deployed scripts. */
  async toTrace(): Promise<ProfilerTrace> {
    return (await this.finish()).trace();
  }

  /** OTLP's ExportProfilesServiceRequest, as an object for JSON: original names, and labels on samples. */
  async toOtlp(): Promise<object> {
    return otlpOf(await this.finish(), {});
  }

  private finish(): Promise<Finished> {
    const { name = appName(), labelValues = 200 } = this.options;
    return (this.finished ??= Finished.of(this.raw, { program: name, thread: threadName(), labelValues }));
  }
}
