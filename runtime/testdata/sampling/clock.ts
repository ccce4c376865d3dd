// Deadlines come at their rate, are the same for one seed, and never run away.
import assert from "node:assert/strict";
import { Clock, longestGap } from "../../src/clock/deadlines";

const clock = new Clock(10, 7);
clock.begin(0);
const gaps: number[] = [];
for (let at = 0; gaps.length < 200_000;) {
  const before = clock.deadline;
  at = before;
  assert.equal(clock.pass(at), 1);
  gaps.push(clock.deadline - before);
}
const mean = gaps.reduce((a, b) => a + b) / gaps.length;
assert.ok(Math.abs(mean - 10) < 0.1, `the mean gap is ${mean}`);
assert.ok(Math.min(...gaps.slice(0, 1000)) >= 10 / 16, "a rest after each deadline");
// An exponential wait has e^-1 of its gaps above the mean, and no memory.
const longer = gaps.filter((g) => g > 10 / 16 + (10 * 15) / 16).length / gaps.length;
assert.ok(Math.abs(longer - Math.exp(-1)) < 0.01, `${longer} of the gaps are above the mean`);
let product = 0;
for (let i = 1; i < gaps.length; i++) product += (gaps[i] - mean) * (gaps[i - 1] - mean);
assert.ok(Math.abs(product / gaps.length / 88) < 0.02, "gaps that follow one another are independent");

{
  const { log } = Math;
  Math.log = (x) => (x < 1 ? log(2 ** -32) : log(x));
  const rare = new Clock(1, 1);
  rare.begin(0);
  Math.log = log;
  assert.ok(rare.deadline > longestGap - 1 && rare.deadline < longestGap, `the longest gap is ${rare.deadline}`);
}

const draw = (seed: number) => {
  const c = new Clock(1, seed);
  c.begin(0);
  c.pass(5);
  return c.deadline;
};
assert.equal(draw(3), draw(3));
assert.notEqual(draw(3), draw(4));

const slept = new Clock(1, 1);
slept.begin(0);
const passed = slept.pass(3_600_000);
assert.ok(Math.abs(passed - 3_600_000) < 2000, `an hour at 1 ms: ${passed}`);
assert.ok(slept.deadline > 3_600_000 && slept.deadline < 3_600_100);
slept.pass(0);
assert.ok(slept.deadline < 100, "a clock that went back begins anew");
