// A recording of Node as it was captured, with its labels and the collector's pauses. It is
// plain data: other threads and processes make profiles of it.
import type { RawRecording } from "../recording/parts";
import type { Recording } from "../recording/recording";
import type { Collections } from "../trace/collections";
import { raw } from "../trace/raw";
import { valuesOf, type LabelSet } from "./labels";

/** Of a recording that has ended. */
export function captured(recording: Recording, collections: Collections): RawRecording {
  const result = raw(recording);
  const sets: Record<string, string>[] = [];
  const bySet = new Map<unknown, number>();
  const byText = new Map<string, number>();
  const of: number[] = [];
  recording.each((_time, capture) => {
    const set = capture?.labels as LabelSet | undefined;
    let id = set ? bySet.get(set) : -1;
    if (id === undefined) {
      const values = valuesOf(set!);
      const text = JSON.stringify(values);
      id = byText.get(text) ?? sets.push(values) - 1;
      byText.set(text, id);
      bySet.set(set, id);
    }
    of.push(id);
  });
  if (sets.length > 0) {
    result.labelSets = sets;
    result.samples.labels = of;
  }
  collections.mark(result);
  return result;
}
