// Whoever shows the profile as it is made is told what frame() and event() attach.
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { Profiler } from "../../src/entry/mozilla";

const told: unknown[][] = [];
const attach = (...what: unknown[]) => void told.push(what);

const profiler = new Profiler();
profiler.start();
profiler.frame(); // nobody listens
checks.attach = attach;
const data = profiler.frame();
profiler.event("saved", 3);
Profiler.event("loaded");
profiler.event({ toString() { throw new Error("no name"); } } as never);
checks.attach = () => {
  throw new Error("a listener that fails");
};
profiler.event("spared");
profiler.frame();
profiler.stop();
profiler.event("over");
assert.deepEqual(told, [["frame", "frame()", data], ["mark", "saved", { value: 3 }], ["mark", "loaded", { value: undefined }]]);
assert.equal(told[0][2], data, "the object itself, which the program fills later");
