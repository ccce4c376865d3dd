// Which time each sample stands for. As package profile/slices does it; both pass the
// corpus in profile/slices/testdata. Times are whole nanoseconds here, so that parts add up.
import type { ProfilerTrace } from "../recording/parts";

/** A part of the time, and the data that was sampled in it. */
export interface Stretch {
  time: number;
  /** An index of stacks, -1 for none. */
  stack: number;
  kind: string;
  marker: string;
  /** When it ends. */
  end: number;
}

interface Taken {
  time: number;
  stack: number;
  kind: string;
  marker: string;
  weight: number;
  skid: number;
}

/** How many intervals a sample may come late before the time ahead of it has no sample. */
const patience = 4;

/** The longest time, in milliseconds, that is taken for one. */
const longest = 1e12;

/** Milliseconds in nanoseconds. A value that is not a time becomes 0. */
export const nanoseconds = (ms: number | undefined) => (ms! > 0 && ms! < longest ? Math.round(ms! * 1e6) : 0);

/**
 * The stretches that the samples of a trace cover between two moments, in order of time. A
 * sample covers the time since the one before it: ticks come at random, so the gaps between
 * them differ, and only together do they come to weight × interval. The sample before a
 * longer gap than chance explains is followed by time without a sample. The last
 * sample also covers an interval after it.
 */
export function stretches(trace: ProfilerTrace, from: number, to: number): Stretch[] {
  const samples = taken(trace);
  const interval = intervalOf(trace, samples);
  const found: Stretch[] = [];
  let before = -Infinity;
  samples.forEach(({ time, stack, kind, marker, weight, skid }, i) => {
    const reach = Math.max(skid, weight * interval) + patience * interval;
    const start = Math.max(from, before, time - reach);
    const end = Math.min(to, i === samples.length - 1 ? time + interval : time);
    if (end > start) found.push({ time: end - start, stack, kind, marker, end });
    before = time;
  });
  return found;
}

function intervalOf({ fieldprof }: ProfilerTrace, samples: readonly Taken[]): number {
  const stated = nanoseconds(fieldprof?.interval);
  if (stated > 0 || samples.length < 2) return stated;
  return Math.floor((samples[samples.length - 1].time - samples[0].time) / (samples.length - 1));
}

/** The samples, in order of time. Traces have an entry for each tick: those of a sample become one again. */
function taken(trace: ProfilerTrace): Taken[] {
  const samples: Taken[] = [];
  for (const { timestamp, stackId, marker = "", weight = 0, kind = "", skid } of trace.samples) {
    const time = nanoseconds(timestamp);
    const stack = stackId !== undefined && trace.stacks[stackId] ? stackId : -1;
    const last = samples[samples.length - 1];
    if (weight > 0 && !kind && last && (last.stack === stack || stackId === undefined)) {
      last.weight += weight;
      last.time = Math.max(last.time, time);
    } else {
      samples.push({ time, stack, kind: kind || unstated(stack, marker, weight), marker, weight: weight || 1, skid: nanoseconds(skid) });
    }
  }
  return samples.sort((a, b) => a.time - b.time);
}

/** The kind of a sample that has none: in a browser's own trace, nothing ran if there is neither a stack nor a marker. */
function unstated(stack: number, marker: string, weight: number): string {
  if (stack >= 0) return "own";
  if (weight > 0) return "program";
  return marker === "" ? "idle" : marker === "gc" ? "gc" : "program";
}
