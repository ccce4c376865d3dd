// Started by register.ts when its process ends: makes a profile of a raw recording.
// Arguments: the recording's file, and the profile's.
import { readFile, stat } from "node:fs/promises";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";
import type { RawRecording } from "../recording/parts";
import type { Frame, Stack } from "../stacks/stack";
import type { Recording, Visit } from "../recording/recording";
import type { SampleKind } from "../core/kinds";
import { cpuprofile } from "../trace/cpuprofile";
import { readFrom } from "../trace/disk";
import { readTablesBy } from "../trace/tables";
import { traceOf } from "../trace/standard";

/** Restores a recording from its raw form. */
function replay(raw: RawRecording): Recording {
  const frames: Frame[] = [];
  for (let i = 0; i < raw.frames.length; i += 4) {
    const [url, name, line, column] = raw.frames.slice(i, i + 4);
    frames.push({ url: raw.strings[url], name: raw.strings[name], line, column });
  }
  const stacks: Stack[] = [];
  for (let i = 0; i < raw.stacks.length; i += 2) {
    stacks.push({ frame: frames[raw.stacks[i + 1]], parent: stacks[raw.stacks[i]] ?? null });
  }
  const { time, stack, kind, weight, skid } = raw.samples;
  const captures = stacks.map((of) => ({ error: null, hidden: 0, stack: of }));
  const each = (visit: Visit) => time.forEach((at, i) => visit(at, captures[stack[i]] ?? null, kind[i] as SampleKind, weight[i], skid[i]));
  return { ...raw, notes: new Set(raw.lost), length: time.length, each } as unknown as Recording;
}

const [rawFile, output] = process.argv.slice(2);
readTablesBy(readFrom({ readFile, stat }));
const recording = replay(JSON.parse(readFileSync(rawFile, "utf8")) as RawRecording);
const profile = await (output.endsWith(".json") ? traceOf(recording) : cpuprofile(recording));
writeFileSync(`${output}.part`, JSON.stringify(profile));
renameSync(`${output}.part`, output);
