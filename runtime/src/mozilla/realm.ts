// The engine of pages and Node, over the realm's sampler and the stacks and functions
// of traces.
import { checks } from "../core/flag";
import { byCheck, Loop, Program } from "../core/kinds";
import { now } from "../core/real";
import { attend, recordingOf } from "../recording/reader";
import { newError, tape } from "../recording/sampler";
import type { Session as TapeSession } from "../recording/sessions";
import { format, readings } from "../stacks/format";
import type { Capture, Stack } from "../stacks/stack";
import { Attribution } from "../trace/attribution";
import { eachFrame, samplesOf } from "../trace/columns";
import { Functions } from "../trace/functions";
import { Origins } from "../trace/origins";
import { loaded, tablesOf } from "../trace/tables";
import { keyOf, Stacks } from "./calls";
import type { Engine, Here, Report, Session, Settings } from "./engine";
import { Pauses } from "./pauses";

/** How many scripts are remembered from stacks. */
const mostScripts = 10_000;

class PageSession implements Session {
  private readonly session: TapeSession;
  /** Whether it counts the collector separately. */
  readonly gc: boolean;
  private cleared = 0;

  constructor(
    { interval, limit, gc }: Settings,
    private readonly engine: PageEngine,
  ) {
    this.gc = gc;
    this.session = tape.begin({ interval, limit, ring: true, lines: true });
    attend();
    if (gc) engine.pauses.start();
  }

  get started() {
    return Math.max(this.session.started, this.cleared);
  }

  get recording() {
    return recordingOf(this.session);
  }

  stop() {
    this.recording.stop();
    this.engine.pauses.stop();
    this.engine.load().catch(() => {}); // for later calls of results()
  }

  clear() {
    this.recording.clear();
    this.cleared = now();
  }
}

class PageEngine implements Engine {
  readonly pauses = new Pauses();
  readonly now = now;
  private readonly scripts = new Set<string>();
  private readonly keys = new WeakMap<Stack, string>();
  private latest: PageSession | undefined;

  start(settings: Settings): Session {
    return (this.latest = new PageSession(settings, this));
  }

  /** Called by the profiler's method, which is called by the function that gets the ticks. */
  settle() {
    checks.left[Loop] = 0; // let this check look
    checks.flag.c.c(Loop, 2);
  }

  here(): Here | null {
    const capture: Capture<Stack> = { error: newError(), hidden: 3, stack: null };
    format([capture], true);
    const { stack } = capture;
    if (!stack) return null;
    eachFrame([stack], ({ url }) => this.meet(url));
    return { key: this.key(stack), token: stack };
  }

  attach(what: "frame" | "mark", name: string, data: unknown) {
    try {
      checks.attach?.(what, name, data);
    } catch {
      // A listener's error does not concern the program.
    }
  }

  report(sessions: Session[], tokens: unknown[]): Report {
    const marked = tokens as (Stack | null)[];
    const parts = sessions.map((session) => samplesOf((session as PageSession).recording));
    for (const { stacks } of parts) eachFrame(stacks, ({ url }) => this.meet(url));
    const functions = new Functions(loaded(this.scripts, new Set()), new Origins(), readings.isJSC);
    const attribution = new Attribution(
      (frame) => functions.of(frame),
      (stack) => functions.callerOf(stack),
    );
    const stacks = new Stacks(functions);
    const samples: Report["samples"] = { time: [], skid: [], weight: [], kind: [], stack: [] };
    for (const part of parts) {
      part.times.forEach((time, i) => {
        const stack = stacks.of(attribution.owner(part.stacks[i], part.kinds[i]));
        const kind = part.kinds[i];
        samples.time.push(time);
        samples.skid.push(part.skids[i]);
        samples.weight.push(part.weights[i]);
        samples.kind.push(byCheck(kind) && stack < 0 ? Program : kind);
        samples.stack.push(stack);
      });
    }
    const marks = marked.map((stack) => stacks.of(stack));
    const { calls, parents, frames } = stacks;
    const told = sessions.some((session) => (session as PageSession).gc);
    return { calls, parents, frames, samples, pauses: told ? this.pauses.get() : [], marks };
  }

  /** Loads the tables of the scripts seen on stacks so far. */
  async load() {
    const { latest, scripts } = this;
    if (latest) eachFrame(samplesOf(latest.recording).stacks, ({ url }) => this.meet(url));
    const origins = new Origins();
    await tablesOf(
      [...scripts].filter((url) => origins.asks(url, false)),
      new Set(),
    );
  }

  private meet(url: string) {
    if (this.scripts.size < mostScripts) this.scripts.add(url);
  }

  /** Equal stacks are not always the same object: the tables of stacks are renewed. */
  private key(stack: Stack): string {
    let key = this.keys.get(stack);
    if (key === undefined) {
      key = "";
      for (let at: Stack | null = stack; at; at = at.parent) key += keyOf(at.frame) + "\n";
      this.keys.set(stack, key);
    }
    return key;
  }
}

export const engine: Engine = new PageEngine();
