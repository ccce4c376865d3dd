// What is sent: a trace and where it comes from (docs/sending.md).
import type { ProfilerTrace } from "../recording/parts";
import { cleanText, cleanURL } from "../trace/clean";
import { debugIdsOf } from "../trace/debugids";

export interface Envelope {
  version: 1;
  /** Ids of the session, and of this page in it. */
  session: string;
  view: string;
  page: string;
  /** The route that decided the rate; absent if none matches. */
  route?: string;
  release?: string;
  /** Counts the chunks of the page, from 0. */
  chunk: number;
  /** If the chunk is sent in parts: the index of this one, from 0, and their number. */
  part?: number;
  parts?: number;
  /** When the chunk began, in milliseconds since 1970. Times in the trace are since `origin`. */
  started: number;
  origin: number;
  /** What was lost before it, for people to read. */
  notes?: string[];
  /** Of a trace without any, such as the browser's: as `fieldprof.debugIds` of ours. */
  debugIds?: Record<string, string>;
  trace: ProfilerTrace;
}

/** The text of an envelope, and its length. */
export interface Letter {
  text: string;
  bytes: number;
}

const { TextEncoder } = globalThis;

function write(envelope: Envelope): Letter {
  const text = JSON.stringify(envelope);
  return { text, bytes: new TextEncoder().encode(text).length };
}

/**
 * The envelope as it may leave the page: plain data, whatever a transform put into it,
 * without queries, fragments and user info in strings and keys. This includes traces
 * that the browser made.
 */
export function seal(envelope: Envelope): Envelope {
  const known = new Map<string, string>();
  const clean = (text: string) => {
    let cleaned = known.get(text);
    if (cleaned === undefined) known.set(text, (cleaned = cleanText(text)));
    return cleaned;
  };
  const visit = (_key: string, value: unknown): unknown => {
    if (typeof value === "string") return clean(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const keys = Object.keys(value);
    if (keys.every((key) => clean(key) === key)) return value;
    return Object.fromEntries(keys.map((key) => [clean(key), (value as Record<string, unknown>)[key]]));
  };
  const { page, route, trace } = envelope;
  const sealed = JSON.parse(JSON.stringify({ ...envelope, trace: urlsCleaned(trace) }, visit)) as Envelope;
  sealed.page = cleanURL(page);
  if (route) sealed.route = cleanText(route, true);
  const debugIds = trace?.fieldprof?.debugIds ? undefined : debugIdsOf(trace?.resources);
  if (debugIds) sealed.debugIds = debugIds;
  return sealed;
}

/** The trace with clean resources. In other strings a URL may be anywhere. */
function urlsCleaned(trace: ProfilerTrace): ProfilerTrace {
  const { resources } = trace;
  if (!Array.isArray(resources)) return trace;
  return { ...trace, resources: resources.map((url: unknown) => cleanURL(String(url))) };
}

/** Envelopes of at most maxBytes, which together hold the trace; `dropped` counts samples too large for any. */
export function pack(envelope: Envelope, maxBytes: number): { letters: Letter[]; dropped: number } {
  const whole = write(envelope);
  if (whole.bytes <= maxBytes) return { letters: [whole], dropped: 0 };
  const parts: ProfilerTrace[] = [];
  let dropped = 0;
  const room = 60 + JSON.stringify(envelope.notes || 0).length; // for the numbers of the parts, and the notes in the first
  const halve = (trace: ProfilerTrace) => {
    const count = trace.samples.length;
    if (write({ ...envelope, notes: undefined, trace }).bytes + room <= maxBytes) return parts.push(trace);
    if (count < 2) return (dropped += count);
    halve(slice(trace, 0, count >> 1));
    halve(slice(trace, count >> 1, count));
  };
  halve(envelope.trace);
  const letters = parts.map((trace, part) => write({ ...envelope, notes: part ? undefined : envelope.notes, part, parts: parts.length, trace }));
  return { letters, dropped };
}

/** A range of a trace's samples, with only what they refer to. */
export function slice(trace: ProfilerTrace, from: number, to: number): ProfilerTrace {
  const samples = trace.samples.slice(from, to);
  const used = new Set<number>();
  for (const { stackId } of samples) {
    for (let id = stackId; id !== undefined && !used.has(id); id = trace.stacks[id]?.parentId) used.add(id);
  }
  const stacks = renumber(trace.stacks, used);
  const frames = renumber(trace.frames, new Set(stacks.kept.map((stack) => stack.frameId)));
  const resources = renumber(trace.resources, new Set(frames.kept.map((frame) => frame.resourceId)));
  const at = <K extends string>(name: K, numbers: Map<number, number>, id?: number) => (id === undefined ? {} : { [name]: numbers.get(id) });
  return {
    ...trace,
    resources: resources.kept,
    frames: frames.kept.map((frame) => ({ ...frame, ...at("resourceId", resources.numbers, frame.resourceId) })),
    stacks: stacks.kept.map((stack) => ({ ...at("parentId", stacks.numbers, stack.parentId), frameId: frames.numbers.get(stack.frameId)! })),
    samples: samples.map((sample) => ({ ...sample, ...at("stackId", stacks.numbers, sample.stackId) })),
  };
}

/** The used items of a list, in order, and their new indices. */
function renumber<T>(list: readonly T[], used: ReadonlySet<number | undefined>): { kept: T[]; numbers: Map<number, number> } {
  const kept: T[] = [];
  const numbers = new Map<number, number>();
  list.forEach((item, i) => {
    if (used.has(i)) numbers.set(i, kept.push(item) - 1);
  });
  return { kept, numbers };
}
