// A stand-in for trace.ts until that is there.
import type { RawRecording } from "../parts";
import type { Recording } from "../recording";

const cache = new WeakMap<Error, string>();
void cache;

export function raw(recording: Recording): RawRecording {
  const strings = [""];
  const frames: number[] = [];
  const stacks: number[] = [];
  const ids = new Map<string, number>();
  const intern = (key: string, make: () => number) => {
    let id = ids.get(key);
    if (id === undefined) ids.set(key, (id = make()));
    return id;
  };
  const string = (s: string) => intern("s" + s, () => strings.push(s) - 1);
  const samples: RawRecording["samples"] = { time: [], stack: [], weight: [], kind: [], skid: [] };
  recording.each((time, capture, kind, weight, skid) => {
    let stack = -1;
    const text = capture?.error?.stack ?? "";
    const lines = text.split("\n").filter((l) => /:\d+:\d+\)?$|<anonymous>\)$/.test(l));
    for (const line of lines.slice(capture?.hidden).reverse()) {
      const m = /^\s*at (?:(.*) \()?(.*?):(\d+):(\d+)\)?$/.exec(line) ?? /^(.*)@(.*?):(\d+):(\d+)$/.exec(line) ?? /^\s*at (.*) \((<anonymous>)\)/.exec(line);
      if (!m) continue;
      const frame = intern("f" + m.slice(1).join("|"), () => frames.push(string(m[2]), string(m[1] ?? ""), Number(m[3] ?? 0), Number(m[4] ?? 0)) / 4 - 1);
      const parent = stack;
      stack = intern(`k${parent}|${frame}`, () => stacks.push(parent, frame) / 2 - 1);
    }
    samples.time.push(time);
    samples.stack.push(stack);
    samples.weight.push(weight);
    samples.kind.push(kind);
    samples.skid.push(skid);
  });
  const { clock, interval, seed, started, ended, account, late, lost } = recording;
  return { version: 1, clock, interval, seed, started, ended, origin: performance.timeOrigin, account, late, lost: [...lost], strings, frames, stacks, samples };
}
