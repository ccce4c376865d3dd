// The envelope that is sent: a trace and where it comes from (docs/sending.md).
import { writeJSON } from "../core/json";
import type { Counts } from "../interactions/observing";
import type { ProfilerTrace } from "../recording/parts";
import { cleanText, cleanURL } from "../trace/clean";
import { debugIdsOf } from "../trace/debugids";
import type { Device } from "./environment";
import { portion } from "./portion";

export interface Envelope {
  version: 1;
  /** Ids of the session, and of this page in it. */
  session: string;
  view: string;
  page: string;
  /** The route that decided the rate; absent if none matches. */
  route?: string;
  release?: string;
  /** The fraction of the sessions that are profiled on this route. */
  rate: number;
  /** "Firefox 153". */
  browser?: string;
  device?: Device;
  /** "4g". */
  connection?: string;
  /** The page's own. */
  labels?: Record<string, string>;
  /** Counts the chunks of the page, or its other envelopes, from 0. */
  chunk: number;
  /** If the chunk is sent in parts: the index of this one, from 0, and their number. */
  part?: number;
  parts?: number;
  /** When the chunk began, in milliseconds since 1970. Times in the trace are since `origin`. */
  started: number;
  origin: number;
  /** The losses before it, for people to read. */
  notes?: string[];
  /** Of a trace without any, such as the browser's: the same as `fieldprof.debugIds` in our traces. */
  debugIds?: Record<string, string>;
  /** The trace is one slice: something slow. */
  slice?: true;
  /** How many slices it represents, itself included. */
  weight?: number;
  /** If slices are sent: the counts of this view so far. */
  counts?: Counts;
  /** Absent if there are only counts. */
  trace?: ProfilerTrace;
}

/** The text of an envelope, and its length. */
export interface Letter {
  text: string;
  bytes: number;
}

const { TextEncoder } = globalThis;

function write(envelope: Envelope): Letter {
  const text = writeJSON(envelope);
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
  const sealed = JSON.parse(writeJSON({ ...envelope, trace: trace && urlsCleaned(trace) }, visit)) as Envelope;
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
  if (whole.bytes <= maxBytes || !envelope.trace) return { letters: [whole], dropped: 0 };
  const parts: ProfilerTrace[] = [];
  let dropped = 0;
  const room = 60 + writeJSON(envelope.notes || 0).length; // for the numbers of the parts, and the notes in the first
  const halve = (trace: ProfilerTrace) => {
    const count = trace.samples.length;
    if (write({ ...envelope, notes: undefined, trace }).bytes + room <= maxBytes) return parts.push(trace);
    if (count < 2) return (dropped += count);
    halve(portion(trace, 0, count >> 1));
    halve(portion(trace, count >> 1, count));
  };
  halve(envelope.trace);
  const letters = parts.map((trace, part) => write({ ...envelope, notes: part ? undefined : envelope.notes, part, parts: parts.length, trace }));
  return { letters, dropped };
}
