// The recording as captured, in columns of numbers, for `instrument run`, which has
// the tables and source maps on disk.
import { epoch } from "../core/origin";
import type { RawRecording } from "../recording/parts";
import type { Recording } from "../recording/recording";
import type { Frame, Stack } from "../stacks/stack";
import { cleanText, cleanURL } from "./clean";
import { samplesOf } from "./columns";
import { Trie } from "./trie";

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
    origin: epoch(),
    account: { ...recording.account },
    late: recording.late.slice(),
    lost: [...recording.notes].map((text) => cleanText(text)),
    overhead: recording.overhead,
    strings: writer.strings,
    frames: writer.frames,
    stacks: writer.stacks,
    samples: { time: samples.times, stack, weight: samples.weights, kind: samples.kinds, skid: samples.skids },
  };
}

class Writer {
  readonly strings: string[] = [];
  readonly frames: number[] = [];
  private readonly stringIds = new Map<string, number>();
  private readonly frameIds = new Map<Frame, number>();

  private readonly trie = new Trie(
    (stack) => stack.parent,
    (frame) => this.frame(frame),
  );

  stack(stack: Stack | null): number {
    return this.trie.of(stack);
  }

  get stacks(): number[] {
    const { parents, owners } = this.trie;
    return parents.flatMap((parent, i) => [parent, owners[i]]);
  }

  private frame(frame: Frame): number {
    let id = this.frameIds.get(frame);
    if (id === undefined) {
      this.frameIds.set(frame, (id = this.frames.length / 4));
      this.frames.push(this.string(cleanURL(frame.url)), this.string(cleanText(frame.name)), frame.line, frame.column);
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
