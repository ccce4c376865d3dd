// INP is what web-vitals makes of the same entries, and memory is bounded.
import assert from "node:assert/strict";
import { Latencies } from "../../src/interactions/latencies";

const counted = performance as Performance & { interactionCount?: unknown };

/** The INP by web-vitals of all interactions: one of fifty is ignored. */
function inpOf(durations: number[]): number {
  const sorted = durations.slice().sort((a, b) => b - a);
  return sorted[Math.min(sorted.length - 1, Math.floor(durations.length / 50))];
}

// Ids are seven apart, and each interaction has several events of which the longest counts.
for (const count of [1, 2, 49, 50, 51, 99, 100, 240, 499]) {
  const latencies = new Latencies();
  const durations: number[] = [];
  for (let i = 0; i < count; i++) {
    const duration = 40 + 8 * ((i * 37) % 100);
    durations.push(duration);
    for (const part of [0.5, 1, 0.7]) latencies.see(7 * (i + 3), duration * part);
  }
  assert.equal(latencies.inp, inpOf(durations), `INP of ${count}`);
  assert.equal(latencies.interactions, count);
  const below = durations.filter((duration) => duration <= latencies.p75!).length;
  assert.ok(below >= 0.75 * count, `${below} of ${count} are below ${latencies.p75}`);
}

// The first input counts however short it is, other short ones do not.
const short = new Latencies();
assert.equal(short.inp, undefined);
assert.equal(short.p75, undefined);
short.see(7, 16);
short.see(0, 3000); // a move of the mouse
assert.equal(short.inp, undefined);
short.see(7, 16, true);
assert.equal(short.inp, 16);

// The browser counts those, too, that it does not report; and a page that returns from the cache begins again.
counted.interactionCount = 10;
const view = new Latencies();
view.see(70, 800);
counted.interactionCount = 70;
assert.equal(view.inp, 800);
view.see(77, 400);
assert.equal(view.inp, 400, "the longest of sixty is ignored");
assert.equal(view.interactions, 60);
assert.equal(view.p75, 8, "fifty-eight of sixty were not even reported");
view.restore();
assert.equal(view.inp, undefined);
counted.interactionCount = 71;
assert.equal(view.inp, 8, "below what browsers report");
view.see(84, 56);
assert.equal(view.inp, 56);

// Entries of any kind that a page may make.
const hostile = [NaN, -1, Infinity, 1e300, 2 ** 53, "50", undefined, null] as number[];
const odd = new Latencies();
for (const id of hostile) for (const duration of hostile) odd.see(id, duration, true);
for (counted.interactionCount of hostile) {
  const { inp = 0, interactions, p75 = 0 } = odd;
  for (const value of [inp, interactions, p75]) assert.ok(+value >= 0 && +value < 1e10, String(value));
}
