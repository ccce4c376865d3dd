// The blame for a slice. Package profile/slices does the same in Go and explains the
// rules; both pass the corpus in profile/slices/testdata.
import type { ProfilerTrace } from "../recording/parts";
import { nanoseconds, stretches, type Stretch } from "./coverage";
import { groupNames, isPseudo, partyOf, placeOf, type BlameOptions, type Group, type Place } from "./party";
import type { Slice } from "./slice";

export type { BlameOptions, Group, Place } from "./party";

/** Times are in milliseconds. */
export interface Blame {
  /** The slice's duration. */
  total: number;
  /** By self, worst first. */
  functions: Blamed[];
  /** They add up to the total. */
  groups: Record<Group, number>;
  /** The function to look at first; absent if none has half of the busy time. */
  cause?: Cause;
  /** The outermost function of the page's own code that led to the cause; absent if it is the cause, or not known. */
  handler?: Place;
}

export interface Blamed extends Place {
  self: number;
  /** Counted once if the function calls itself. */
  total: number;
  group: Group;
}

export interface Cause extends Place {
  /** Its own time, with the native code that it called; the total, if its time is spread over its callees. */
  time: number;
  group: Group;
  /** How its time is divided. */
  groups: Partial<Record<Group, number>>;
}

/** The time of a function, in nanoseconds. */
interface Tally {
  place: Place;
  group: Group;
  isPseudo: boolean;
  self: number;
  total: number;
  /** Its own time, and that of the native code that it called. */
  spent: number;
  /** The most callers that it had. */
  depth: number;
}

/** A stretch and its functions, the innermost first. */
type Step = Stretch & { group: Group; path: Tally[] };

/** Says whose time a slice was. */
export function blame(slice: Slice, options: BlameOptions = {}): Blame {
  const steps = stepsOf(slice, options);
  const duration = nanoseconds(slice.duration);
  const groups = Object.fromEntries(groupNames.map((group) => [group, 0])) as Record<Group, number>;
  for (const { group, time } of steps) groups[group] += time;
  const tallies = tallied(steps);
  const functions = tallies.map(({ place, self, total, group }) => ({ ...place, self: self / 1e6, total: total / 1e6, group }));
  functions.sort((a, b) => b.self - a.self || b.total - a.total);
  return { total: duration / 1e6, functions, groups: inMilliseconds(groups) as Record<Group, number>, ...findCause(tallies, steps, duration - groups.waiting) };
}

function inMilliseconds(groups: Partial<Record<Group, number>>): Partial<Record<Group, number>> {
  return Object.fromEntries(Object.entries(groups).map(([group, time]) => [group, time / 1e6]));
}

/** The steps of a slice, without gaps. */
function stepsOf(slice: Slice, options: BlameOptions): Step[] {
  const from = nanoseconds(slice.start);
  const to = from + nanoseconds(slice.duration);
  const tallies = talliesOf(slice.trace, options);
  const steps: Step[] = [];
  let at = from;
  const busy = busyPart(slice, from, to);
  const wait = (until: number) => {
    steps.push(...split({ time: until - at, end: until, stack: -1, kind: "", marker: "", group: "waiting", path: [] }, ...busy, "other"));
    at = until;
  };
  for (const stretch of stretches(slice.trace, from, to)) {
    const path = pathOf(slice.trace, stretch.stack, tallies);
    const group = groupOf(stretch, path[0]);
    if (stretch.end - stretch.time > at) wait(stretch.end - stretch.time);
    if (group === "waiting") wait(stretch.end);
    else {
      const step: Step = { ...stretch, group, path: path.filter((tally) => !tally.isPseudo) };
      // While the next picture is due, the engine's work without a script is to make it.
      steps.push(...(group === "other" ? split(step, to - nanoseconds(slice.presentation), to, "paint") : [step]));
    }
    at = stretch.end;
  }
  if (at < to) wait(to);
  return steps;
}

/** In which part of a slice the thread was busy, whatever was sampled: an interaction's handlers, a long task. */
function busyPart({ what, inputDelay, processing }: Slice, from: number, to: number): [from: number, to: number] {
  if (what === "long-task") return [from, to];
  if (what !== "interaction") return [to, to];
  const begin = from + nanoseconds(inputDelay);
  return [begin, begin + nanoseconds(processing)];
}

/** A step in up to three, of which that between two moments is of another group. */
function split(step: Step, from: number, to: number, group: Group): Step[] {
  const begin = step.end - step.time;
  const cuts = [begin, Math.min(Math.max(from, begin), step.end), Math.min(Math.max(to, from, begin), step.end), step.end];
  return cuts
    .slice(1)
    .map((end, i) => ({ ...step, end, time: end - cuts[i], group: i === 1 ? group : step.group }))
    .filter(({ time }) => time > 0);
}

function pathOf(trace: ProfilerTrace, stack: number, tallies: readonly Tally[]): Tally[] {
  const path: Tally[] = [];
  for (let at: number | undefined = stack; at !== undefined && path.length < trace.stacks.length; at = trace.stacks[at].parentId) {
    const tally = trace.stacks[at] && tallies[trace.stacks[at].frameId];
    if (!tally) break;
    path.push(tally);
  }
  return path;
}

/** A tally for each frame; equal frames have one. */
function talliesOf(trace: ProfilerTrace, options: BlameOptions): Tally[] {
  const known = new Map<string, Tally>();
  const ignored = new Set<string>();
  const keys = trace.frames.map((frame) => {
    const { name, url, line, column } = placeOf(trace, frame);
    const key = `${line}:${column}:${url}\n${name}`;
    if (frame.ignored) ignored.add(key);
    return key;
  });
  return trace.frames.map((frame, i) => {
    let tally = known.get(keys[i]);
    if (!tally) {
      const place = placeOf(trace, frame);
      tally = { place, group: partyOf(place, ignored.has(keys[i]), options), isPseudo: isPseudo(place), self: 0, total: 0, spent: 0, depth: 0 };
      known.set(keys[i], tally);
    }
    return tally;
  });
}

function groupOf({ kind, marker }: Stretch, leaf: Tally | undefined): Group {
  if (marker === "gc" || marker === "style" || marker === "layout" || marker === "paint") return marker;
  const pseudo = leaf?.isPseudo ? leaf.place.name : "";
  if (kind === "idle" || kind === "lost" || pseudo === "(idle)" || pseudo === "(lost)") return "waiting";
  if (kind === "gc" || pseudo === "(garbage collector)") return "gc";
  if (kind === "native" || pseudo === "(native)") return "native";
  return leaf && !leaf.isPseudo && kind !== "program" ? leaf.group : "other";
}

/** Adds up the times of functions, and returns those that have some, in the order of their first stretch. */
function tallied(steps: readonly Step[]): Tally[] {
  const met = new Set<Tally>();
  for (const { path, time } of steps) {
    const seen = new Set<Tally>();
    path.forEach((tally, i) => {
      met.add(tally);
      tally.depth = Math.max(tally.depth, path.length - i);
      if (!seen.has(tally)) tally.total += time;
      seen.add(tally);
    });
    if (path.length > 0) path[0].self += time;
    const spender = spenderOf(path);
    if (spender) spender.spent += time;
  }
  return [...met];
}

/** The innermost function of a script. */
const spenderOf = (path: readonly Tally[]) => path.find(({ group }) => group !== "native");

/** The function that has half of the busy time itself; or else the innermost one, no framework's, that has it with its callees. */
function findCause(tallies: readonly Tally[], steps: readonly Step[], busy: number): Pick<Blame, "cause" | "handler"> {
  let cause: Tally | undefined;
  for (const tally of tallies) if (tally.spent > (cause?.spent ?? 0)) cause = tally;
  if (cause && 2 * cause.spent >= busy) return told(cause, cause.spent, steps.filter(({ path }) => spenderOf(path) === cause));
  cause = undefined;
  for (const tally of tallies) {
    if ((tally.group !== "own" && tally.group !== "third-party") || 2 * tally.total < busy) continue;
    if (!cause || tally.total < cause.total || (tally.total === cause.total && tally.depth > cause.depth)) cause = tally;
  }
  return cause ? told(cause, cause.total, steps.filter(({ path }) => path.includes(cause!))) : {};
}

function told(cause: Tally, time: number, steps: readonly Step[]): Pick<Blame, "cause" | "handler"> {
  const groups: Partial<Record<Group, number>> = {};
  const votes = new Map<Tally, number>();
  for (const step of steps) {
    groups[step.group] = (groups[step.group] ?? 0) + step.time;
    const handler = outermost(step.path, "own") ?? outermost(step.path, "third-party");
    if (handler) votes.set(handler, (votes.get(handler) ?? 0) + step.time);
  }
  let handler: Tally | undefined;
  for (const [tally, time] of votes) if (!handler || time > votes.get(handler)!) handler = tally;
  const found: Cause = { ...cause.place, time: time / 1e6, group: cause.group, groups: inMilliseconds(groups) };
  return handler && handler !== cause ? { cause: found, handler: handler.place } : { cause: found };
}

function outermost(path: readonly Tally[], group: Group): Tally | undefined {
  for (let i = path.length - 1; i >= 0; i--) if (path[i].group === group) return path[i];
  return undefined;
}
