// The two shapes of a profiler's data in Mozilla's document. Empty fields are absent.
import { byCheck, GC, Idle, Program } from "../core/kinds";
import type { Call, Report } from "./engine";
import type { Summary } from "./statistics";
import type { Tick } from "./ticks";

/** A summary of an event at one stack; just the count if no values were given. */
export type EventSummary = Summary;

/** A frame and its callees. */
export interface Child extends Call {
  /** The object that frame() returned for this stack. */
  data?: object;
  /** By name. */
  events?: Record<string, EventSummary>;
  /** Ticks with the frame on the stack: selfCount and those of the children. */
  samples?: number;
  /** Ticks with it on top. */
  selfCount?: number;
  children?: Child[];
}

export interface Results {
  /** Ticks that found a stack: those of the children. */
  samples: number;
  /** Ticks during pauses of the collector. */
  gcSamples: number;
  /** Ticks while nothing ran, and while something without checks did. */
  idleSamples?: number;
  programSamples?: number;
  /** How long the profiler ran, in microseconds. */
  micros: number;
  /** Events without a stack. */
  events?: Record<string, EventSummary>;
  children: Child[];
}

export interface Sample {
  /** When it was taken, in microseconds since the first start. */
  micros: number;
  /** Its ticks: itself, and those deferred to it. */
  weight: number;
  /** Innermost frame first. Samples of one stack share it. */
  stack: Call[];
}

/** The data and events that frame() and event() attached to a stack. */
export interface Attached {
  data?: object;
  events?: Record<string, EventSummary>;
}

/** Makes the nodes of stacks on demand, so that children are in order of appearance. */
function grow(report: Report, root: Child[]) {
  const nodes: Child[] = [];
  return function node(stack: number): Child {
    if (nodes[stack]) return nodes[stack];
    const call = report.calls[report.frames[stack]];
    const made: Child = { function: { ...call.function }, site: { ...call.site } };
    const caller = report.parents[stack];
    const siblings = caller < 0 ? root : (node(caller).children ||= []);
    siblings.push(made);
    return (nodes[stack] = made);
  };
}

export function makeResults(report: Report, ticks: Tick[], attached: Attached[], micros: number): Results {
  const results: Results = { samples: 0, gcSamples: 0, micros, children: [] };
  const node = grow(report, results.children);
  for (const { stack, weight, kind } of ticks) {
    if (kind === GC) results.gcSamples += weight;
    else if (kind === Idle) results.idleSamples = (results.idleSamples || 0) + weight;
    else if (kind === Program || stack < 0) results.programSamples = (results.programSamples || 0) + weight;
    else {
      const top = node(stack);
      top.selfCount = (top.selfCount || 0) + weight;
      results.samples += weight;
      for (let s = stack; s >= 0; s = report.parents[s]) node(s).samples = (node(s).samples || 0) + weight;
    }
  }
  attached.forEach((what, i) => {
    if (report.marks[i] >= 0) Object.assign(node(report.marks[i]), what);
    else if (what.events) results.events = what.events;
  });
  return results;
}

export function makeSamples(report: Report, ticks: Tick[], started: number): Sample[] {
  const stacks: Call[][] = [];
  const spell = (stack: number): Call[] => {
    const calls: Call[] = [];
    for (let s = stack; s >= 0; s = report.parents[s]) calls.push(report.calls[report.frames[s]]);
    return calls;
  };
  return ticks
    .filter(({ kind, stack }) => byCheck(kind) && stack >= 0)
    .map(({ time, weight, stack }) => ({
      micros: Math.max(0, Math.round((time - started) * 1000)),
      weight,
      stack: (stacks[stack] ||= spell(stack)),
    }));
}
