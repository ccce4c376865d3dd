// Checks call no method of collections that the page has replaced since the load.
import { pass } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { attend, recordingOf } from "../../src/recording/reader";
import { tape } from "../../src/recording/sampler";
import { askEarly } from "../../src/trace/early";

const { flag } = checks;
askEarly();
setLoader(() => new Promise(() => {}));
const recording = recordingOf(tape.begin({ interval: 1, limit: Infinity, clock: "poll" }));
attend();
const before = recording.length;

function work(checksOfIt: number) {
  for (let i = 0; i < checksOfIt; i++) {
    pass(1);
    if ((flag[1] = flag[0])) flag.c.c(0);
  }
}

work(100); // by now the fakes have their timer
const called: string[] = [];
const { defineProperty } = Object;
const methods = [Array, Map, Set, WeakSet].flatMap(({ prototype }) =>
  Object.entries(Object.getOwnPropertyDescriptors(prototype)).map(([name, own]) => ({ prototype, name, own })),
).filter(({ name, own }) => name !== "constructor" && typeof own.value === "function");
for (const { prototype, name, own } of methods) {
  const value = () => {
    called[called.length] = name;
  };
  defineProperty(prototype, name, { ...own, value });
}
work(1000);
(() => work(100))(); // of another stack
for (const { prototype, name, own } of methods) defineProperty(prototype, name, own);

assert.deepEqual([...new Set(called)], []);
assert.ok(recording.length > before + 10, `${recording.length - before} samples`);
recording.each((_, capture) => assert.ok(capture === null || capture.stack));
recording.stop();
