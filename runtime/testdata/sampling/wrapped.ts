// Workers from blob: URLs start from a copy with the runtime. There is one for each URL, which goes with it.
import assert from "node:assert/strict";

let open: string[] = [];
let made = 0;
let started = "";
globalThis.Worker = class {
  constructor(url: string) {
    started = url;
  }
  postMessage() {}
} as never;
const fake = () => {
  open.push(`blob:a/${++made}`);
  return `blob:a/${made}`;
};
URL.createObjectURL = fake;
URL.revokeObjectURL = (url) => {
  open = open.filter((each) => each !== url);
};

const { wrapWorkers } = await import("../../src/api/wrap"); // which takes them as they are then
const originals = wrapWorkers("https://a.example/fieldprof/runtime.js");

const url = URL.createObjectURL(new Blob(["onmessage = null"]));
const start = (given: string) => {
  new Worker(given);
  return started;
};
assert.deepEqual(["", "#", "#a", "#b#c", ""].map((fragment) => start(url + fragment)), ["", "#", "#a", "#b#c", ""].map((fragment) => "blob:a/2" + fragment));
assert.deepEqual(open, [url, "blob:a/2"], "one copy, whatever the fragment is, which the worker sees");
URL.revokeObjectURL(url + "#a");
assert.equal(open.length, 2, "a URL with a fragment is another one");
URL.revokeObjectURL(url);
assert.deepEqual(open, []);
assert.equal(start(url), url, "what is revoked starts as the page asked");
assert.equal(start("https://a.example/worker.js#a"), "https://a.example/worker.js#a");

// They look as before.
assert.equal(URL.createObjectURL.toString(), fake.toString());
for (const f of [Worker, Blob, Function.prototype.toString]) assert.equal(f.toString().includes("originals"), false);
assert.equal(Function.prototype.toString.toString(), "function toString() { [native code] }");
assert.match(String(Worker), /^class/);

// Our own worker starts from its text alone.
const { checks } = await import("../../src/core/flag");
const { Coordinator } = await import("../../src/clock/coordinator");
checks.workers = originals;
const { process } = globalThis;
globalThis.process = undefined as never; // as in a page
new Coordinator(new Int32Array(2), 1, { ready() {}, ping() {}, failed: assert.fail }).start();
globalThis.process = process;
assert.deepEqual(open, [started]);
