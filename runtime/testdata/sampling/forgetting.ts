// After the end of a recording V8 is made to collect: some times, not while anything records again,
// and not each time where recordings follow each other closely.
import { endTask, idle, pass } from "./fakes";
import assert from "node:assert/strict";

let collections = 0;
const Real = globalThis.ArrayBuffer;
globalThis.ArrayBuffer = class extends Real {
  constructor(size: number) {
    const asked = size > 64 << 20;
    if (asked) collections++;
    super(asked ? 0 : size);
  }
} as unknown as ArrayBufferConstructor;
const { checks } = await import("../../src/core/flag");
const { record } = await import("../../src/recording/reader");
const { tape } = await import("../../src/recording/sampler");
const { flag } = checks;

/** Records until a check has been taken, or only begins and ends. */
function recording(sampled = true) {
  let taken = 0;
  record({ interval: 10, limit: Infinity, clock: "poll", seed: 3, see: ({ capture }) => (taken += capture ? 1 : 0) });
  while (sampled && !taken) {
    for (let i = 0; i < 1000; i++) {
      pass(0.01);
      if ((flag[1] = flag[0])) flag.c.c(1);
    }
    endTask();
  }
  return () => tape.end(tape.sessions[0]);
}

function collected(milliseconds: number) {
  const before = collections;
  idle(milliseconds);
  return collections - before;
}

recording(false)();
assert.equal(collected(60_000), 0, "no check was called, and V8 has learned nothing");

let end = recording();
assert.equal(collected(10_000), 0, "it records");
end();
assert.equal(collected(1000), 0, "not at once");
assert.equal(collected(10_000), 3);
assert.equal(collected(600_000), 0);

end = recording();
end();
assert.equal(collected(2500), 1, "the first of three");
end = recording();
assert.equal(collected(60_000), 0, "it records again");
end();
assert.equal(collected(10_000), 3);

for (let i = 0; i < 5; i++) {
  recording()();
  assert.equal(collected(5000), 0, "it has collected within the minute");
}
assert.equal(collected(60_000), 3, "after the last of them");
