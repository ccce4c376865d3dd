// The coordinator: it takes over from polling, idle ticks are idle, and when its
// worker dies checks poll again.
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { record } from "../../src/recording/reader";

setLoader(() => new Promise(() => {}));
const { flag } = checks;
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

function work(milliseconds: number) {
  let x = 1;
  for (const end = performance.now() + milliseconds; performance.now() < end;) {
    for (let i = 0; i < 100; i++) x = (x * 1103 + 12345) % 65521;
    if ((flag[1] = flag[0])) flag.c.c(1);
  }
  return x;
}

async function until(holds: () => boolean, what: string) {
  for (let i = 0; i < 6000; i++) { // ends what hangs, and judges nothing
    if (holds()) return;
    await sleep(50);
  }
  assert.fail(`never: ${what}`);
}

// Our worker, so that it can be killed.
const threads = process!.getBuiltinModule!("worker_threads");
const workers: { terminate(): unknown }[] = [];
const { Worker } = threads;
(threads as { Worker: unknown }).Worker = class extends (Worker as unknown as new (source: string, options: object) => { terminate(): unknown }) {
  constructor(source: string, options: object) {
    super(source, options);
    workers.push(this);
  }
};

const r = record({ interval: 1, limit: Infinity, seed: 9 });
assert.equal(r.clock, "poll", "checks poll while the worker starts");
work(50);
await until(() => (work(5), sleep(1), r.clock === "shared"), "the worker took over");
assert.equal(workers.length, 1);
r.clear();

const { taken } = r.account;
const before = performance.now();
// A loaded machine misses deadlines, and counts them.
await until(() => (work(100), r.account.taken - taken > 100), "a hundred ticks of work");
const expected = performance.now() - before;
const got = r.account.taken - taken;
assert.ok(got < 1.6 * expected, `${got} ticks in ${expected} ms of work`);
assert.ok(r.late.length > 0 && r.late.every((late) => late >= 0));

r.clear();
const { idle } = r.account;
await until(() => r.account.idle - idle > 20, "idle ticks");
r.each((_time, stack, kind) => assert.ok(kind >= 3 && stack === null, "a check was charged while nothing ran"));

// A second recording shares the worker.
const second = record({ interval: 5, limit: Infinity });
await until(() => (work(100), second.account.raised > 0), "ticks of the second");
second.stop();
assert.equal(workers.length, 1);
assert.ok(second.account.raised > 0);

workers[0].terminate();
await until(() => (work(5), r.clock === "poll"), "checks poll again");
assert.ok([...r.notes].some((note) => note.includes("worker")), `notes: ${[...r.notes]}`);
r.clear();
await until(() => (work(50), r.account.taken > 0 && r.length > 10), "samples without a worker");
r.stop();
assert.equal(flag[0], 0);
