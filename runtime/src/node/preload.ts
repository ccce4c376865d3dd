// Records a service from before its first line, in one of three modes: one profile when it
// ends, one after the other, or between signals.
import { isMainThread } from "node:worker_threads";
import type { RawRecording } from "../recording/parts";
import { record } from "../recording/reader";
import type { Recording } from "../recording/recording";
import { Collections } from "../trace/collections";
import { Background } from "./background";
import { captured } from "./captured";
import { tryOut } from "./rotation";
import { atEnd } from "./ends";
import { variables } from "./inherited";
import type { Job } from "./job";
import { appName, fileAt, namesOf, threadName, type Names } from "./names";
import { process } from "./nodeprocess";
import { say } from "./say";
import { settingsOf, type Settings } from "./variables";
import { onTicks } from "./taken";
import * as threads from "./threads";

/** How many samples are kept, the last ones: hours at the default interval. */
const limit = 1_000_000;

/** After so many ticks of work without a single check, a service that goes on is not instrumented. */
const unlikely = 500;

const { setInterval } = globalThis;

/** Does what a timer, a signal, a message or the end of the process is for. Otherwise our error would become the service's. */
function contained(task: () => void) {
  try {
    task();
  } catch (error) {
    say(`the profile could not be made: ${error}`);
  }
}

/** Starts what the environment asks for. */
export function begin() {
  const settings = settingsOf(variables, isMainThread ? say : () => {}); // once is enough
  if (!isMainThread && (!settings.workers || threads.isOurs())) return;
  new Preload(settings).begin();
}

class Preload {
  private readonly names: Names | undefined;
  private collections: Collections | undefined; // while it records
  private readonly background = new Background();
  private recording: Recording | undefined;
  private isOver = false;
  private unseen: number | undefined = 0; // ticks of work before the first check; undefined from then on

  constructor(private readonly settings: Settings) {
    const { output, mode } = settings;
    if (output === undefined) return;
    this.names = namesOf(output, mode, isMainThread ? say : () => {});
    if (!isMainThread) return;
    const file = fileAt(this.names, mode, Date.now());
    const wrong = tryOut(file);
    if (wrong) say(`FIELDPROF_OUTPUT: ${file} cannot be written: ${wrong}. Recording goes on, and each profile tries again`);
  }

  begin() {
    const { mode, every } = this.settings;
    if (mode !== "signal") this.start();
    if (mode === "continuous") (setInterval(() => contained(() => this.next()), every) as { unref?(): void }).unref?.();
    if (isMainThread) this.lead();
    else this.follow();
  }

  private lead() {
    const { mode } = this.settings;
    threads.lead();
    const unwritten = {
      has: () => !!this.recording || this.background.isBusy,
      write: () => {
        if (this.isOver) return;
        contained(() => this.end());
        contained(() => threads.endAll());
      },
    };
    atEnd(unwritten, mode === "signal" ? ["SIGUSR2"] : []);
    if (mode !== "signal") return;
    try {
      process.on("SIGUSR2", () => contained(() => this.toggle()));
    } catch {
      say("FIELDPROF_MODE=signal: this system has no SIGUSR2: nothing is recorded");
    }
  }

  private follow() {
    const place = threads.follow((order) => {
      if (order === "end") end();
      else contained(() => (order === "start" ? this.start() : this.stop()));
    });
    const end = () => {
      if (this.isOver) return;
      place?.heard();
      contained(() => this.end());
      place?.leave();
    };
    process.on("exit", end);
    if (threads.isRecording()) this.start();
    if (this.recording) place?.heard();
    onTicks((capture) => {
      place?.heard();
      if (capture && threads.isEnding()) end();
    });
  }

  private start() {
    const { interval, clock, maxOverhead, mode } = this.settings;
    if (this.recording || this.isOver) return;
    const onover = (why: string) => {
      say(mode === "continuous" ? `${why}. The next profile tries again` : why);
      if (mode === "exit") contained(() => this.stop()); // it gets no more samples: it need not wait for the end
    };
    this.collections ??= new Collections();
    this.recording = record({ interval, limit, ring: true, lines: true, clock, maxOverhead, onover });
  }

  /** Ends the recording. Without samples of checks there is no profile. */
  private take(): RawRecording | undefined {
    const { recording, collections } = this;
    const { mode } = this.settings;
    this.recording = undefined;
    if (!recording || !collections) return undefined;
    recording.stop();
    const { taken, program } = recording.account;
    const raw = taken > 0 ? captured(recording, collections) : undefined;
    if (mode === "signal") {
      collections.end();
      this.collections = undefined;
    } else collections.forget(recording.ended);
    if (mode === "exit" && !raw && isMainThread) say(this.nothing(recording.ended - recording.started));
    if (mode === "continuous") this.doubt(taken, program);
    return raw;
  }

  /** Why there is no profile of this time. */
  private nothing(ms: number) {
    const { interval } = this.settings;
    if (ms < interval) return `the app ended after ${Math.round(ms)} ms, before a tick was due, so there is no profile: FIELDPROF_INTERVAL is ${interval}`;
    return `no check was seen in ${Math.round(ms)} ms, so there is no profile: is this app instrumented (instrument dist/)?`;
  }

  /** Says once that there are no profiles because nothing has checks. A service that rests has none either. */
  private doubt(taken: number, program: number) {
    if (this.unseen === undefined) return;
    this.unseen = taken > 0 ? undefined : this.unseen + program;
    if (this.unseen === undefined || this.unseen < unlikely) return;
    this.unseen = undefined;
    if (isMainThread) say("no check was seen, however busy this app was, so there are no profiles: is it instrumented (instrument dist/)?");
  }

  /** Ends one profile and begins the next. The clock goes on. */
  private next() {
    const { recording } = this;
    if (!recording || this.isOver) return;
    this.recording = undefined;
    this.start();
    const following = this.recording;
    this.recording = recording;
    try {
      const raw = this.take();
      if (raw) this.background.add(this.job(raw));
    } finally {
      this.recording = following;
    }
  }

  private toggle() {
    if (this.recording) {
      threads.record(false);
      this.stop();
    } else {
      threads.record(true);
      this.start();
      say("recording: another SIGUSR2 ends it");
    }
  }

  private stop() {
    const raw = this.take();
    if (raw) this.background.add(this.job(raw, true));
    else if (isMainThread) say("no check was seen, so there is no profile");
  }

  /** The process or thread ends. */
  private end() {
    this.isOver = true;
    const raw = this.take();
    this.background.finish(raw && this.job(raw, this.settings.mode !== "continuous"));
  }

  private job(raw: RawRecording, isSaid = false): Job {
    const { names, settings } = this;
    const { mode, keep, push, release, service, labelValues } = settings;
    return {
      raw,
      about: { program: service ?? appName(), thread: threadName(), labelValues },
      file: names && fileAt(names, mode, raw.origin + raw.started),
      rotate: names && mode !== "exit" ? { names, keep } : undefined,
      isSaid,
      push,
      origin: { release, pid: process.pid },
    };
  }
}
