// The recording as it was captured, in columns of numbers: what `instrument
// run` reads, which has the tables and maps on its disk.
import type { RawRecording } from "../parts";
import type { Frame, Recording, Stack } from "../recording";
import { samplesOf } from "./samples";

export function raw(recording: Recording): RawRecording {
  const samples = samplesOf(recording);
  const writer = new Writer();
  const stack = samples.stacks.map((at) => writer.stack(at));
  return {
    version: 1,
    clock: recording.clock,
    interval: recording.interval,
    seed: recording.seed,
    started: recording.started,
    ended: recording.ended,
    origin: performance.timeOrigin,
    account: { ...recording.account },
    late: recording.late.slice(),
    lost: [...recording.lost],
    strings: writer.strings,
    frames: writer.frames,
    stacks: writer.stacks,
    samples: { time: samples.times, stack, weight: samples.weights, kind: samples.kinds, skid: samples.skids },
  };
}

class Writer {
  readonly strings: string[] = [];
  readonly frames: number[] = [];
  readonly stacks: number[] = [];
  private readonly stringIds = new Map<string, number>();
  private readonly frameIds = new Map<Frame, number>();
  private readonly stackIds = new Map<Stack, number>();

  stack(stack: Stack | null): number {
    const missing: Stack[] = [];
    let at = stack;
    for (; at && !this.stackIds.has(at); at = at.parent) missing.push(at);
    let id = at ? this.stackIds.get(at)! : -1;
    for (const inner of missing.reverse()) {
      const parent = id;
      id = this.stacks.length / 2;
      this.stacks.push(parent, this.frame(inner.frame));
      this.stackIds.set(inner, id);
    }
    return id;
  }

  private frame(frame: Frame): number {
    let id = this.frameIds.get(frame);
    if (id === undefined) {
      this.frameIds.set(frame, (id = this.frames.length / 4));
      this.frames.push(this.string(frame.url), this.string(frame.name), frame.line, frame.column);
    }
    return id;
  }

  private string(text: string): number {
    let id = this.stringIds.get(text);
    if (id === undefined) {
      this.stringIds.set(text, (id = this.strings.length));
      this.strings.push(text);
    }
    return id;
  }
}
