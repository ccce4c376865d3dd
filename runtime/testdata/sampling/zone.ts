// Zone.js replaces timers and keeps the browser's: a recording must not be seen by an application that waits for
// its own to end.
import assert from "node:assert/strict";

const { setTimeout } = globalThis;
let zoned = 0;
Object.assign(globalThis, {
  Zone: { __symbol__: (name: string) => `__zone_symbol__${name}` },
  __zone_symbol__setTimeout: setTimeout,
  setTimeout(task: () => void, milliseconds?: number) {
    zoned++;
    return setTimeout(task, milliseconds);
  },
});

const { checks } = await import("../../src/core/flag");
const { setLoader } = await import("../../src/recording/parts");
const { record } = await import("../../src/recording/reader");

setLoader(() => new Promise(() => {}));
const { flag } = checks;
let isFull = false;
const recording = record({ interval: 1, limit: 1, clock: "poll", onfull: () => (isFull = true) });
while (!isFull) {
  if ((flag[1] = flag[0])) flag.c.c(0);
  if (recording.account.lost > 0) await new Promise((done) => setTimeout(done, 1));
}
recording.stop();
assert.equal(zoned, 0);
