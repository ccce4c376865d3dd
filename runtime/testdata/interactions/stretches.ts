// Stretches of a recording: those in which the thread was busy, and those that are cut out.
import assert from "node:assert/strict";
import { Idle, Loop, Program, type SampleKind } from "../../src/core/kinds";
import { Busy } from "../../src/interactions/tasks";
import { Recording } from "../../src/recording/recording";

/** The stretches that are found of entries: time, due, kind, missed. */
function found(...entries: [number, number, SampleKind, number?][]): number[][] {
  const stretches: number[][] = [];
  const busy = new Busy((from, to) => stretches.push([from, to]));
  for (const [time, due, kind, missed = 0] of entries) busy.see({ time, due, kind, missed });
  busy.end();
  return stretches;
}

assert.deepEqual(found([100, 90, Idle], [110, 105, Loop], [180, 120, Loop], [200, 190, Idle]), [[100, 180]], "from where it was idle");
assert.deepEqual(found([100, 90, Idle], [300, 205, Loop], [310, 309, Idle]), [[205, 300]], "not from long before");
assert.deepEqual(found([110, 105, Loop], [140, 120, Program], [160, 150, Idle], [200, 170, Loop]), [], "two short ones");
assert.deepEqual(found([110, 105, Loop], [9000, 120, Program, 890], [9010, 9005, Loop]), [], "frozen");
assert.deepEqual(found([110, 105, Loop], [1170, 1160, Loop], [1200, 1190, Loop]), [], "nothing was raised in between");
assert.deepEqual(found([110, 105, Loop], [200, 150, Loop], [20, 10, Loop], [40, 30, Loop]), [[105, 200]], "the clock went back");

// A recording that is cut into parts loses no tick, wherever the cuts are.
const session = { settings: { interval: 10, limit: Infinity, seed: 1 }, started: 0, ended: NaN };
const recording = new Recording(session, { end() {}, read() {} });
let seed = 7;
const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
let time = 0;
for (let i = 0; i < 500; i++) {
  const due = time + 1 + random(20);
  const ticks = random(4) ? 1 : 1 + random(9);
  time = ticks > 1 ? due + random(200) : due + random(3);
  recording.take({ time, due, ticks, missed: 0, kind: random(3) as SampleKind, capture: null, sessions: [], interval: 10 });
}
for (const cuts of [1, 2, 7, 40, 400]) {
  let ticks = 0;
  let from = 0;
  for (let i = 1; i <= cuts; i++) {
    const to = i === cuts ? time : Math.floor((time * i) / cuts) + 0.5; // where no tick is
    const part = recording.part(from, to);
    part.each((time, _capture, _kind, weight, skid) => {
      assert.ok(time - skid >= from - 1e-6 && time <= to + 1e-6, `${time - skid} to ${time} in ${from} to ${to}`);
      ticks += weight;
    });
    assert.equal(part.account.raised, part.account.taken);
    from = to;
  }
  assert.equal(ticks, recording.account.raised, `${cuts} parts`);
}
