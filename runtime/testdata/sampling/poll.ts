// Polling, on a clock that stands still until it is moved: which ticks a check
// takes, and which belong to no function.
import { endTask, idle, pass, setClock } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { record } from "../../src/recording/reader";

setLoader(() => new Promise(() => {}));
const { flag } = checks;
const check = (kind: 0 | 1 | 2) => (flag[1] = flag[0]) && flag.c.c(kind);

function samples(recording: ReturnType<typeof record>) {
  const list: { kind: number; ticks: number; skid: number; time: number }[] = [];
  recording.each((time, _, kind, ticks, skid) => list.push({ kind, ticks, skid, time }));
  recording.clear();
  return list;
}
const sum = (list: { ticks: number }[]) => list.reduce((n, s) => n + s.ticks, 0);
const of = (list: { kind: number; ticks: number }[], ...kinds: number[]) => sum(list.filter((s) => kinds.includes(s.kind)));

/** Works for some milliseconds with a check each 10 µs. */
function work(milliseconds: number, kind: 0 | 1 | 2 = 1) {
  for (let i = 0; i < milliseconds * 100; i++) {
    pass(0.01);
    check(kind);
  }
}

const r = record({ interval: 10, limit: Infinity, clock: "poll", seed: 1 });
assert.equal(r.clock, "poll");
assert.equal(flag[0], 1, "the flag is up while checks poll");

// Work is sampled at its rate, by the check behind each deadline.
work(10_000);
let seen = samples(r);
assert.ok(Math.abs(of(seen, 1) - 1000) < 100, `10 s of work at 10 ms: ${of(seen, 1)} ticks`);
assert.equal(of(seen, 3, 4), 0, "nothing else ran");
assert.ok(seen.every((s) => s.skid <= 0.03), "a tick falls on the first check behind its deadline, or the next ones");

// A wait is idle, and the task behind it pays for none of it: each of these
// tasks works for less than a microsecond.
endTask();
for (let i = 0; i < 1000; i++) {
  idle(10);
  check(0);
  check(2);
  endTask();
}
seen = samples(r);
assert.equal(of(seen, 0, 1, 2), 0, "a task is charged for the wait before it");
assert.ok(Math.abs(of(seen, 3) - 1000) < 100, `10 s of waiting at 10 ms: ${of(seen, 3)} idle ticks`);

// Half a millisecond of work each 10 ms reads 5 %.
for (let i = 0; i < 4000; i++) {
  idle(9.5);
  check(0);
  work(0.5);
  check(2);
  endTask();
}
seen = samples(r);
const busy = (100 * of(seen, 0, 1, 2)) / sum(seen);
assert.ok(busy > 4 && busy < 6, `work of 5 % reads ${busy}`);

// A long call into native code: its caller's next check has all the ticks.
check(0);
work(1);
samples(r);
pass(400);
work(2, 2);
seen = samples(r).filter((s) => s.ticks > 10);
assert.equal(seen.length, 1, "one sample for one call");
assert.ok(seen[0].ticks > 20 && seen[0].ticks < 65, `400 ms at 10 ms: ${seen[0].ticks} ticks`);
assert.ok(seen[0].skid > 300);

// Something that runs on without checks is neither idle nor anybody's.
pass(300);
endTask();
idle(1);
seen = samples(r);
assert.ok(of(seen, 4) > 15 && of(seen, 3) <= 1, "the tail of a task without checks");

// A freeze of ten minutes, between tasks and within one, and a clock that is
// put back: nothing is made up, and it goes on.
endTask();
const missed = r.account.missed;
setClock(600_000);
idle(1);
check(0);
seen = samples(r);
assert.equal(of(seen, 0, 1, 2), 0, "nobody is charged for a freeze");
assert.ok(sum(seen) < 10 && r.account.missed - missed > 50_000, "a freeze is missed deadlines");
setClock(-3_600_000);
work(1000);
seen = samples(r);
assert.ok(of(seen, 1) > 60, `a clock that went back: ${of(seen, 1)} ticks in a second`);

r.stop();
assert.equal(flag[0], 0, "nothing records, and the flag is down");
check(0);
const { account } = r;
assert.equal(account.raised, account.taken + account.idle + account.program);

// A recording that a task without checks ends, after a wait: the wait is idle.
{
  const waits = record({ interval: 10, limit: Infinity, clock: "poll", seed: 1 });
  work(10);
  endTask();
  idle(1);
  samples(waits);
  idle(400);
  waits.stop();
  const list = samples(waits);
  assert.ok(of(list, 3) > 25 && of(list, 4) === 0, `400 ms of waiting: ${JSON.stringify(list)}`);
}

// Ticks that were due before a recording began do not belong to it. Where one recording follows another, each tick counts once.
{
  const before = record({ interval: 10, limit: Infinity, clock: "poll", seed: 1 });
  work(10);
  samples(before);
  pass(300);
  const after = record({ interval: 10, limit: Infinity, clock: "poll" });
  before.stop();
  work(100);
  after.stop();
  const [first, second] = [samples(before), samples(after)];
  assert.ok(sum(first) > 20 && sum(first) < 45, `300 ms: ${sum(first)} ticks`);
  assert.ok(sum(second) < 20 && second.every(({ time }) => time >= after.started), `100 ms: ${sum(second)} ticks`);
}
