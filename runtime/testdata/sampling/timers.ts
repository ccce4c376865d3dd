// A page whose timers throw is not to be seen from its checks or its tasks: the tape is read in the middle of both.
import { endTask, pass } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";

let asked = 0;
globalThis.setTimeout = (() => {
  asked++;
  throw new TypeError("timers throw");
}) as unknown as typeof setTimeout;
const { setLoader } = await import("../../src/recording/parts");
const { record } = await import("../../src/recording/reader");
const { askEarly } = await import("../../src/trace/early");

askEarly();
setLoader(() => new Promise(() => {}));
const { flag } = checks;
let full = 0;
const recording = record({ interval: 1, limit: 50, clock: "poll", tables: undefined, onfull: () => full++ });
const watched = asked;

for (let i = 0; i < 1000; i++) {
  pass(1);
  if ((flag[1] = flag[0])) flag.c.c(0); // a sample asks for its tables later, and the last says later that there is no room
  if (i % 10) continue;
  pass(5);
  endTask(); // the message of the clock reads the tape too
}
let ticks = 0;
recording.each((_time, _capture, _kind, weight) => (ticks += weight));
assert.equal(ticks, 50);
assert.ok(asked > watched);
assert.equal(full, 0, "nothing runs at once in place of later");
recording.stop();
