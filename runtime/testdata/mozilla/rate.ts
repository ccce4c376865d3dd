// No more ticks count than the rate allows for the time that was profiled,
// whatever the clock did: its gaps are random, and it may have been stopped.
import assert from "node:assert/strict";
import { Loop } from "../../src/core/kinds";
import type { Report } from "../../src/mozilla/engine";
import { count, type Windows } from "../../src/mozilla/ticks";

/** The weights that count of samples at these times. */
function kept(samples: [time: number, weight: number][], runs: Windows, from = runs[0][0]): number[] {
  const report: Report = {
    calls: [], parents: [], frames: [], pauses: [], marks: [],
    samples: {
      time: samples.map(([time]) => time),
      skid: samples.map(() => 0),
      weight: samples.map(([, weight]) => weight),
      kind: samples.map(() => Loop),
      stack: samples.map(() => 0),
    },
  };
  return count(report, { from, runs, interval: 1, max: Infinity, own: [] }).map(({ weight }) => weight);
}

assert.deepEqual(kept([[102.5, 2], [103.2, 1]], [[100, Infinity]]), [2, 1]);
assert.deepEqual(kept([[102.5, 9], [103.2, 9]], [[100, Infinity]]), [2, 1], "the rate bounds them");
assert.deepEqual(kept([[104.5, 1], [105.5, 9]], [[100, Infinity]]), [1, 4], "and what did not come may come later");

const stopped: Windows = [[100, 104], [200, Infinity]];
assert.deepEqual(kept([[103, 3], [202.5, 9]], stopped), [3, 3], "but not for time that it was stopped");
assert.deepEqual(kept([[103, 9], [203, 9], [302, 9]], [[100, 104], [200, 204], [300, 304]]), [3, 4, 3]);
assert.deepEqual(kept([[104, 9], [203, 9]], stopped, 102), [2, 3], "nor for what is too old");
assert.deepEqual(kept([[203, 9]], stopped, 201), [2]);
