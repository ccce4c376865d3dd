// Samples that nothing can read, since trace.js cannot be loaded, are kept while something records, and no longer.
import { pass } from "./fakes";
import assert from "node:assert/strict";
import { Profiler } from "../../src/api/profiler";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { tape } from "../../src/recording/sampler";

setLoader(() => Promise.reject(new Error("blocked")));
const { flag } = checks;
function work() {
  for (let i = 0; i < 1000; i++) {
    pass(1);
    if ((flag[1] = flag[0])) flag.c.c(0);
  }
}
const options = { sampleInterval: 10, maxBufferSize: 1000 };
const one = new Profiler(options);
const other = new Profiler(options);
work();
await one.stop();
assert.ok(tape.entries.some((entry) => entry.capture?.error), "the other may still be read");
await other.stop();
assert.equal(tape.entries.length, 0);

// One that ends before it is known that there is no reader.
const brief = new Profiler(options);
work();
assert.ok(tape.entries.length > 0);
await brief.stop();
assert.equal(tape.entries.length, 0);
