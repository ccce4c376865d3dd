// A snapshot of a recording for a trace: its samples in columns, with every stack
// formatted. It does not change while recording goes on.
import type { SampleKind } from "../core/kinds";
import type { Recording } from "../recording/recording";
import { format } from "../stacks/format";
import type { Capture, Frame, Stack } from "../stacks/stack";

export interface Samples {
  readonly times: number[];
  readonly stacks: (Stack | null)[];
  readonly kinds: SampleKind[];
  /** Ticks. */
  readonly weights: number[];
  readonly skids: number[];
}

export function samplesOf(recording: Recording): Samples {
  const captures: (Capture<Stack> | null)[] = [];
  const samples: Samples = { times: [], stacks: [], kinds: [], weights: [], skids: [] };
  recording.each((time, capture, kind, weight, skid) => {
    captures.push(capture);
    samples.times.push(time);
    samples.kinds.push(kind);
    samples.weights.push(weight);
    samples.skids.push(skid);
  });
  format(captures, recording.lines);
  for (const capture of captures) samples.stacks.push(capture && capture.stack);
  return samples;
}

/** Calls visit with every frame of the stacks, once for each distinct stack. */
export function eachFrame(stacks: readonly (Stack | null)[], visit: (frame: Frame) => void) {
  const seen = new Set<Stack>();
  for (let stack of stacks) {
    for (; stack && !seen.has(stack); stack = stack.parent) {
      seen.add(stack);
      visit(stack.frame);
    }
  }
}
