// The corpus that package profile/slices passes, too: profile/slices/testdata/corpus.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { blame, type Group, type Place } from "../../src/interactions/blame";
import { explain } from "../../src/interactions/explain";
import type { Slice, Slow } from "../../src/interactions/slice";
import type { ProfilerSample, ProfilerTrace, TraceMark } from "../../src/recording/parts";

/** The folder above this one. */
declare const TESTDATA: string;

interface Sample {
  at: number;
  until?: number;
  every?: number;
  stack: string;
  kind?: string;
  weight?: number;
  skid?: number;
  marker?: ProfilerSample["marker"];
  raw?: boolean;
}

interface Case {
  about: string;
  page: string;
  functions: Record<string, string | { at: string; name?: string; ignored?: boolean }>;
  samples: Sample[];
  slice: TraceMark;
  marks?: TraceMark[];
  groups: Partial<Record<Group, number>>;
  "functions by self": [name: string, self: number, total: number, group: Group][];
  cause: [name: string, time: number] | null;
  handler: string | null;
  explain: string;
}

const keyOf = ({ name, url, line, column }: Place) => JSON.stringify([name, url, line, column]);

/** The trace of a case as the runtime writes it, and the short names of its functions. */
function traceOf({ functions, samples, slice, marks = [] }: Case): { trace: ProfilerTrace; names: Map<string, string> } {
  const trace = { resources: [], frames: [], stacks: [], samples: [] } as ProfilerTrace;
  const names = new Map<string, string>();
  const frames = new Map<string, number>();
  const stacks = new Map<string, number>();
  const frameOf = (short: string) => {
    const known = frames.get(short);
    if (known !== undefined) return known;
    const told = functions[short] ?? "native";
    const { at, name = short, ignored } = typeof told === "string" ? { at: told } : told;
    const frame: ProfilerTrace["frames"][number] = { name };
    const [, url, line, column] = /^([^]*):(\d+):(\d+)$/.exec(at) ?? [at, "", "0", "0"];
    if (url) frame.resourceId = trace.resources.push(url) - 1;
    if (+line > 0) Object.assign(frame, { line: +line, column: +column });
    if (ignored) frame.ignored = true;
    const key = keyOf({ name, url, line: +line, column: +column });
    if (!names.has(key)) names.set(key, short);
    const id = trace.frames.push(frame) - 1;
    frames.set(short, id);
    return id;
  };
  const stackOf = (text: string) => {
    let at: number | undefined;
    let path = "";
    for (const short of text ? text.split(" > ") : []) {
      path += ` > ${short}`;
      let id = stacks.get(path);
      if (id === undefined) {
        const frameId = frameOf(short);
        id = trace.stacks.push(at === undefined ? { frameId } : { frameId, parentId: at }) - 1;
        stacks.set(path, id);
      }
      at = id;
    }
    return at;
  };
  for (const sample of samples) {
    const stackId = stackOf(sample.stack);
    for (let { at } = sample; at === sample.at || at <= (sample.until ?? 0); at += sample.every ?? 10) trace.samples.push(...entriesOf(sample, at, stackId));
  }
  trace.fieldprof = { version: 1, interval: 10, marks: [slice, ...marks] } as unknown as ProfilerTrace["fieldprof"];
  return { trace, names };
}

function entriesOf({ raw, marker, kind, weight = 1, skid = 0 }: Sample, at: number, stackId: number | undefined): ProfilerSample[] {
  const common = { ...(stackId === undefined ? {} : { stackId }), ...(marker ? { marker } : {}) };
  if (raw) return [{ timestamp: at, ...common }];
  return Array.from({ length: weight }, (_, tick) => ({
    timestamp: tick < weight - 1 ? at - skid + (skid * tick) / (weight - 1) : at,
    ...common,
    weight: 1,
    ...(tick === 0 ? { kind: kind ?? (stackId === undefined ? "idle" : "loop"), skid } : {}),
  }));
}

function sliceOf({ what, name, target, time, duration = 0, inputDelay, processing, presentation }: TraceMark, trace: ProfilerTrace): Slice {
  return { what: what as Slow, name, target, start: time, duration, inputDelay, processing, presentation, unknown: [], trace };
}

let checked = 0;
const folder = `${TESTDATA}/../../profile/slices/testdata/corpus`;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  for (const wanted of JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Case[]) {
    const { trace, names } = traceOf(wanted);
    const slice = sliceOf(wanted.slice, trace);
    const before = JSON.stringify(slice);
    const found = blame(slice, wanted);
    const short = (place: Place | undefined) => (place ? names.get(keyOf(place)) : null);
    const told = {
      groups: Object.fromEntries(Object.entries(found.groups).filter(([, time]) => time !== 0)),
      "functions by self": found.functions.map((f) => [short(f), f.self, f.total, f.group]),
      cause: found.cause ? [short(found.cause), found.cause.time] : null,
      handler: short(found.handler),
      explain: explain(slice, wanted),
    };
    const { groups, "functions by self": functions, cause, handler, explain: sentence } = wanted;
    assert.deepEqual(told, { groups, "functions by self": functions, cause, handler, explain: sentence }, `${file}: ${wanted.about}`);
    assert.equal(JSON.stringify(slice), before, "blame leaves the slice as it is");
    checked++;
  }
}
assert.ok(checked >= 50, `${checked} cases`);
