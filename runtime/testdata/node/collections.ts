// Ticks that were due while the collector ran are the collector's, whether a check took
// them or the thread rested first; those of idle time stay idle.
import assert from "node:assert/strict";
import { Entry, Exit, GC, Idle, Program } from "../../src/core/kinds";
import type { RawRecording } from "../../src/recording/parts";
import { Collections } from "../../src/trace/collections";

const collections = Object.assign(new Collections(), { known: () => [[10, 20], [50, 60]] as [number, number][] });
collections.end();

/** The samples after marking; the arguments are due, time, weight and kind of each. */
function marked(...samples: [due: number, time: number, weight: number, kind: number][]) {
  const recording = {
    interval: 1,
    samples: { time: samples.map((s) => s[1]), stack: samples.map((_, i) => i), weight: samples.map((s) => s[2]), kind: samples.map((s) => s[3]), skid: samples.map((s) => s[1] - s[0]) },
  } as unknown as RawRecording;
  collections.mark(recording);
  const { time, weight, kind, stack } = recording.samples;
  return time.map((at, i) => [at, weight[i], kind[i], stack[i]]);
}

assert.deepEqual(marked([5, 6, 1, Entry], [12, 25, 1, Exit], [30, 31, 1, Program]), [[6, 1, Entry, 0], [20, 1, GC, -1], [31, 1, Program, 2]]);
assert.deepEqual(marked([12, 25, 1, Program]), [[20, 1, GC, -1]], "no check took it");
assert.deepEqual(marked([18, 25, 7, Program]), [[20, 3, GC, -1], [25, 4, Program, 0]], "the rest is still the program's");
assert.deepEqual(marked([12, 25, 1, Idle], [55, 61, 1, Entry]), [[25, 1, Idle, 0], [60, 1, GC, -1]]);

// A service that runs for weeks remembers the last pauses only.
{
  const weeks = new Collections() as unknown as { add(entries: object[]): void; pauses: unknown[]; end(): void };
  for (let i = 0; i < 3 << 17; i++) weeks.add([{ startTime: i, duration: 0.5 }]);
  weeks.end();
  assert(weeks.pauses.length <= 1 << 17 && weeks.pauses.length >= 1 << 16);
  assert.deepEqual(weeks.pauses.at(-1), [(3 << 17) - 1, (3 << 17) - 0.5]);
}
