// Parts of traces, and traces made small.
import type { ProfilerSample, ProfilerTrace, TraceMark } from "../recording/parts";

/** A range of a trace's samples, with only what they refer to. */
export function portion(trace: ProfilerTrace, from: number, to: number): ProfilerTrace {
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

/**
 * Our trace without what readers do not need: entries that no sample refers to, and skids
 * within the interval. Times are rounded to a hundredth of a millisecond.
 */
export function lighten(trace: ProfilerTrace): ProfilerTrace {
  const light = portion(trace, 0, trace.samples.length);
  const interval = trace.fieldprof?.interval || 0;
  light.samples = light.samples.map((sample) => {
    const { skid, ...kept }: ProfilerSample = { ...sample, timestamp: round(sample.timestamp) };
    return skid! > interval ? { ...kept, skid: round(skid!) } : kept;
  });
  const { fieldprof } = light;
  if (fieldprof?.marks) light.fieldprof = { ...fieldprof, marks: fieldprof.marks.map(rounded) };
  return light;
}

function rounded(mark: TraceMark): TraceMark {
  return Object.fromEntries(Object.entries(mark).map(([name, value]) => [name, typeof value === "number" ? round(value) : value])) as unknown as TraceMark;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
