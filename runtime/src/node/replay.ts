// Restores a recording from its raw form, without the frames of our own files.
import type { SampleKind } from "../core/kinds";
import type { RawRecording } from "../recording/parts";
import type { Recording, Visit } from "../recording/recording";
import type { Frame, Stack } from "../stacks/stack";
import { isOurs } from "./place";

export function replay(raw: RawRecording): Recording {
  const frames: Frame[] = [];
  for (let i = 0; i < raw.frames.length; i += 4) {
    const [url, name, line, column] = raw.frames.slice(i, i + 4);
    frames.push({ url: raw.strings[url], name: raw.strings[name], line, column });
  }
  const stacks: (Stack | null)[] = [];
  for (let i = 0; i < raw.stacks.length; i += 2) {
    const frame = frames[raw.stacks[i + 1]];
    const parent = stacks[raw.stacks[i]] ?? null;
    stacks.push(isOurs(frame.url) ? parent : { frame, parent });
  }
  const { time, stack, kind, weight, skid } = raw.samples;
  const captures = stacks.map((of) => ({ error: null, hidden: 0, stack: of }));
  const each = (visit: Visit) => time.forEach((at, i) => visit(at, captures[stack[i]] ?? null, kind[i] as SampleKind, weight[i], skid[i]));
  return { ...raw, notes: new Set(raw.lost), length: time.length, each } as unknown as Recording;
}
