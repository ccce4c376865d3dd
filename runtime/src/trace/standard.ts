// The trace of the JS Self-Profiling specification, with fields in Chromium's order,
// and our additions.
import { byCheck, GC, Idle, kindNames, type SampleKind } from "../core/kinds";
import type { ProfilerSample, ProfilerTrace } from "../recording/parts";
import type { Recording } from "../recording/recording";
import { attributed, type Attributed } from "./attributed";
import { cleanText, cleanURL, errorName } from "./clean";
import { DebugIds } from "./debugids";

/** The most samples that a trace is split into: beyond, the ticks of a sample stay together. */
const most = 4_000_000;

/** The trace of a recording. Never rejects. */
export async function traceOf(recording: Recording, asUnknown = false): Promise<ProfilerTrace> {
  const { clock, interval, seed, late, overhead } = recording;
  const account = { ...recording.account };
  const result: ProfilerTrace = { frames: [], resources: [], samples: [], stacks: [] };
  let { notes } = recording;
  let skids: number[] = [];
  let debugIds: Record<string, string> | undefined;
  try {
    const found = await attributed(recording, asUnknown);
    ({ notes, skids } = found);
    account.taken -= found.unowned;
    account.program += found.unowned;
    debugIds = addFrames(found, result);
    found.parents.forEach((parent, i) => {
      const frameId = found.owners[i];
      result.stacks.push(parent < 0 ? { frameId } : { frameId, parentId: parent });
    });
    result.samples = samplesOf(found);
  } catch (error) {
    notes = new Set(notes).add(`the trace could not be made: ${errorName(error)}`);
  }
  result.fieldprof = { version: 1, clock, interval, seed, account, late: spread(late), skid: spread(skids), lost: [...notes].map((text) => cleanText(text)), ...(overhead && { overhead }), ...(debugIds && { debugIds }) };
  return result;
}

/**
 * Resources are clean: scripts that differ only in their query become one resource,
 * and their functions remain separate frames. Returns the debug ids of resources.
 */
function addFrames(found: Attributed, to: ProfilerTrace): Record<string, string> | undefined {
  const ids = new DebugIds();
  const resources = new Map<string, number>();
  for (const fn of found.functions) {
    const { line, column } = fn;
    const name = cleanText(fn.name);
    const url = cleanURL(fn.url);
    if (!url) {
      to.frames.push({ name });
      continue;
    }
    let resourceId = resources.get(url);
    if (resourceId === undefined) {
      resources.set(url, (resourceId = to.resources.length));
      to.resources.push(url);
    }
    ids.add(fn.url, fn.table?.debugId);
    const frame: ProfilerTrace["frames"][number] = line > 0 ? { column: Math.max(1, column), line, name, resourceId } : { name, resourceId };
    if (fn.ignored) frame.ignored = true;
    to.frames.push(frame);
  }
  ids.share();
  return ids.byResource();
}

/** One sample for each tick, spread from the time the first was due to the time a check took them. */
function samplesOf(found: Attributed): ProfilerSample[] {
  const samples: ProfilerSample[] = [];
  let ticks = 0;
  let last = 0;
  found.each((_time, _stack, _kind, weight) => (ticks += weight));
  found.each((time, stack, kind, weight, skid) => {
    const entries = ticks > most ? 1 : weight;
    for (let i = 1; i <= entries; i++) {
      const due = entries === 1 ? time : time - skid + (skid * (i - 1)) / (entries - 1);
      last = Math.max(last, due);
      samples.push(sample(last, stack, kind, weight / entries, i === 1 ? skid : undefined));
    }
  });
  return samples;
}

/** The first sample of an entry has a skid. */
function sample(timestamp: number, stackId: number, kind: SampleKind, weight: number, skid?: number): ProfilerSample {
  const made = {} as ProfilerSample;
  const marker = globalThis.crossOriginIsolated ? markerOf(kind) : undefined;
  if (marker) made.marker = marker;
  if (stackId >= 0) made.stackId = stackId;
  made.timestamp = timestamp;
  made.weight = weight;
  if (skid !== undefined) {
    made.kind = kindNames[kind];
    made.skid = skid;
  }
  return made;
}

/**
 * A check runs in a script. If none did, something else ran: native code, code without checks,
 * or the engine. Only isolated realms may see these markers (docs/conformance.md).
 */
function markerOf(kind: SampleKind): ProfilerSample["marker"] {
  if (byCheck(kind)) return "script";
  return kind === Idle ? undefined : kind === GC ? "gc" : "other";
}

/** Summarises delays, in milliseconds. */
function spread(delays: readonly number[]) {
  const sorted = Float64Array.from(delays).sort();
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] || 0;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: at(1) };
}
