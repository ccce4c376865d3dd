// A sample may fall between a match and RegExp.$1: the program reads its own match there.
import { pass } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { attend, recordingOf } from "../../src/recording/reader";
import { tape } from "../../src/recording/sampler";
import { askEarly } from "../../src/trace/early";

setLoader(() => new Promise(() => {}));
askEarly();
const { flag } = checks;
const recording = recordingOf(tape.begin({ interval: 1, limit: Infinity, clock: "poll", seed: 1 })); // as Profiler does: it has tables asked for early
attend();
let rest = "7,".repeat(300);
let sum = 0;
while (/^(\d),/.test(rest)) {
  pass(1);
  if ((flag[1] = flag[0])) flag.c.c(1);
  sum += +RegExp.$1;
  rest = RegExp.rightContext;
}
assert.equal(sum, 7 * 300);
assert.ok(recording.length > 100);
recording.stop();
