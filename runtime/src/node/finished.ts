// A profile that is done: a raw recording whose samples are attributed, with original
// names. Formats translate it.
import { readFile, stat } from "node:fs/promises";
import type { ProfilerTrace, RawRecording } from "../recording/parts";
import { attributed, type Attributed } from "../trace/attributed";
import { cpuprofileOf } from "../trace/cpuprofile";
import { readFrom } from "../trace/disk";
import { traceOf } from "../trace/standard";
import { forgive, readTablesBy } from "../trace/tables";
import { GC, Idle } from "../core/kinds";
import { Originals } from "./originals";
import { replay } from "./replay";

/** The name of a profile, and how much of it remains. */
export interface About {
  /** The service. */
  readonly program: string;
  /** Which of its threads and processes, empty for the first. */
  readonly thread: string;
  /** How many values a label may have. */
  readonly labelValues: number;
}

const none: Readonly<Record<string, string>> = {};
/** The value of labels that have too many. */
const other = "(other)";

const originals = new Originals();

export class Finished {
  private readonly recording;
  private readonly sets: Readonly<Record<string, string>>[];
  /** Of samples without labels. */
  private readonly bare: Readonly<Record<string, string>>;
  private readonly ticks;

  private constructor(
    readonly raw: RawRecording,
    readonly about: About,
    readonly found: Attributed,
    private readonly notes: ReadonlySet<string>,
  ) {
    this.recording = replay(raw);
    this.bare = about.thread ? { thread: about.thread } : none;
    this.sets = boundedSets(raw, about.labelValues).map((set) => ({ ...set, ...this.bare }));
    this.ticks = ticksOf(raw);
  }

  static async of(raw: RawRecording, about: About): Promise<Finished> {
    readTablesBy(readFrom({ readFile, stat }));
    forgive(); // for weeks one thread makes a profile each minute
    const found = await attributed(replay(raw));
    const notes = new Set(found.notes);
    return new Finished(raw, about, await originals.of(found, notes), notes);
  }

  get program(): string {
    return this.about.program;
  }

  /** The labels of a sample, by its index. */
  labels(sample: number): Readonly<Record<string, string>> {
    return this.sets[this.raw.samples.labels?.[sample] ?? -1] ?? this.bare;
  }

  /** The values of a label, those with most ticks first. */
  values(label: string): string[] {
    const ticks = new Map<string, number>();
    this.raw.samples.weight.forEach((weight, i) => {
      const value = this.labels(i)[label];
      if (value) ticks.set(value, (ticks.get(value) ?? 0) + weight);
    });
    return [...ticks].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  }

  /** As profile.Meta in Go. */
  meta(): object {
    const { raw } = this;
    return {
      start: new Date(raw.origin + raw.started).toISOString(),
      durationNs: Math.round((raw.ended - raw.started) * 1e6),
      intervalNs: Math.round(raw.interval * 1e6),
      program: this.title,
      engine: "node",
      clock: raw.clock === "shared" ? "worker, shared flag" : "polled",
      idleKnown: true,
      ticks: this.ticks,
      notes: [...this.notes],
    };
  }

  /** A line for people. */
  health(): string {
    const { interval, started, ended } = this.raw;
    const { raised, missed, lost, dropped } = this.ticks;
    return `${raised} ticks in ${((ended - started) / 1000).toFixed(1)}s at ${interval}ms, ${missed} missed, ${lost} lost${dropped ? `, ${dropped} dropped` : ""}`;
  }

  private get title(): string {
    return this.about.thread ? `${this.program} (${this.about.thread})` : this.program;
  }

  cpuprofile(): object {
    return { ...cpuprofileOf(this.recording, this.found), title: this.title };
  }

  /** The standard trace, with the positions of deployed scripts. */
  trace(): Promise<ProfilerTrace> {
    return traceOf(this.recording);
  }
}

/** The account of a recording, as profile.Ticks in Go: the oldest samples of a long one have made room for others. */
function ticksOf({ account: { raised, missed, lost }, samples }: RawRecording) {
  const sum = (of?: number) => samples.kind.reduce((ticks, kind, i) => (of === undefined || kind === of ? ticks + samples.weight[i] : ticks), 0);
  const [all, idle, gc] = [sum(), sum(Idle), sum(GC)];
  return { raised: all + lost, missed, taken: all - idle - gc, idle, gc, lost, dropped: raised - lost - all };
}

/** The label sets of a recording, with no more values for a label than allowed: those with most ticks. */
function boundedSets(raw: RawRecording, most: number): Record<string, string>[] {
  const { labelSets: sets = [], samples } = raw;
  const ticks = new Map<string, Map<string, number>>();
  samples.labels?.forEach((id, i) => {
    for (const [name, value] of Object.entries(sets[id] ?? {})) {
      if (!ticks.has(name)) ticks.set(name, new Map());
      const of = ticks.get(name)!;
      of.set(value, (of.get(value) ?? 0) + samples.weight[i]);
    }
  });
  const kept = new Map<string, Set<string>>();
  for (const [name, of] of ticks) {
    const values = [...of].sort((a, b) => b[1] - a[1]).map(([value]) => value);
    kept.set(name, new Set(values.slice(0, most)));
  }
  return sets.map((set) => Object.fromEntries(Object.entries(set).map(([name, value]) => [name, kept.get(name)?.has(value) ? value : other])));
}
