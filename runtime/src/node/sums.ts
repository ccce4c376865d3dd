// The samples of a profile, added up by stack, kind and labels, as formats for servers
// have them.
import { byCheck, GC, Idle, Program } from "../core/kinds";
import type { Fn } from "../trace/functions";
import type { Finished } from "./finished";

/** Samples that differ in nothing but their times. */
export interface Sum {
  /** Index of the stack, -1 for none; then pseudo is its only function. */
  readonly stack: number;
  readonly pseudo: string;
  readonly labels: Readonly<Record<string, string>>;
  samples: number;
  ticks: number;
  /** When each sample was taken, in milliseconds by performance.now(), and its ticks. */
  readonly times: number[];
  readonly weights: number[];
}

const pseudos: Record<number, string> = { [Idle]: "(idle)", [Program]: "(program)", [GC]: "(garbage collector)" };

/** Of all samples, or of those with some labels. A server that knows only work gets no idle time. */
export function sumsOf(finished: Finished, { idle = true, labels = () => true }: Choice = {}): Sum[] {
  const sums = new Map<string, Sum>();
  let i = 0;
  finished.found.each((time, stack, kind, weight) => {
    const set = finished.labels(i++);
    if ((kind === Idle && !idle) || !labels(set)) return;
    const owned = byCheck(kind) && stack >= 0;
    const pseudo = owned ? "" : (pseudos[kind] ?? "(program)");
    const key = `${owned ? stack : pseudo}\n${JSON.stringify(set)}`;
    let sum = sums.get(key);
    if (!sum) sums.set(key, (sum = { stack: owned ? stack : -1, pseudo, labels: set, samples: 0, ticks: 0, times: [], weights: [] }));
    sum.samples++;
    sum.ticks += weight;
    sum.times.push(time);
    sum.weights.push(weight);
  });
  return [...sums.values()];
}

/** Which samples are added up. */
export interface Choice {
  idle?: boolean;
  labels?: (labels: Readonly<Record<string, string>>) => boolean;
}

/** The name of a function where there is room for nothing else, as profile.Function.Label in Go. */
export function labelOf({ name, url, line }: Pick<Fn, "name" | "url" | "line">, file = url): string {
  if (name) return name;
  if (!url) return "(anonymous)";
  return line > 0 ? `(anonymous) ${file}:${line}` : `(anonymous) ${file}`;
}
