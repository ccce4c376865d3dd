// Several recordings of one realm: their rates, limits and ends.
import { endTask, idle, pass } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { record } from "../../src/recording/reader";
import { Recording } from "../../src/recording/recording";
import { tape } from "../../src/recording/sampler";
import type { Entry } from "../../src/recording/sessions";

setLoader(() => new Promise(() => {}));
const { flag } = checks;
function work(milliseconds: number) {
  for (let i = 0; i < milliseconds * 100; i++) {
    pass(0.01);
    if ((flag[1] = flag[0])) flag.c.c(1);
  }
}
const poll = { clock: "poll", seed: 5 } as const;
const ticks = (r: ReturnType<typeof record>) => {
  let n = 0;
  r.each((_time, _capture, _kind, weight) => (n += weight));
  return n;
};

// Each has its own rate.
const fine = record({ interval: 10, limit: Infinity, ...poll });
const coarse = record({ interval: 40, limit: Infinity, ...poll });
work(10_000);
fine.stop();
const between = fine.ended;
work(2_000);
coarse.stop();
assert.ok(Math.abs(ticks(fine) - 1000) < 120, `${ticks(fine)} ticks in 10 s at 10 ms`);
assert.ok(Math.abs(ticks(coarse) - 300) < 60, `${ticks(coarse)} ticks in 12 s at 40 ms`);
fine.each((time) => assert.ok(time <= between && time >= fine.started));
assert.equal(tape.interval, 0);

// A full buffer drops what comes, tells once, and later.
let full = 0;
const small = record({ interval: 10, limit: 5, ...poll, onfull: () => full++ });
const large = record({ interval: 10, limit: Infinity, ...poll });
work(500);
large.stop();
small.stop();
assert.equal(full, 0, "not from inside the check");
endTask();
idle(1);
assert.equal(full, 1);
assert.equal(ticks(small), 5);
assert.equal(small.account.lost, small.account.raised - 5);
assert.ok(ticks(large) > 30);

// Entries that wait for the file that reads them are no news once the recording has ended.
{
  const session = { settings: { interval: 10, limit: 1, onfull: () => full++ }, started: 0, ended: 50 };
  const late = new Recording(session, { end() {}, read() {} });
  late.take({ time: 30, due: 10, ticks: 3, missed: 0, kind: 1, capture: null, sessions: [session], interval: 10 });
  idle(1);
  assert.equal(full, 1, "nobody is told of a full buffer after the end");
  assert.equal(late.account.lost, 2);
}

// A ring keeps the latest.
const ring = record({ interval: 10, limit: 5, ring: true, ...poll });
work(5000);
ring.stop();
assert.ok(ticks(ring) <= 5 && ticks(ring) >= 1);
ring.each((time) => assert.ok(ring.ended - time < 300));
ring.stop();
ring.clear();
assert.equal(ring.length, 0);

// Ending a session while an entry is delivered settles the clock, which adds another entry.
// Each is delivered once, in order.
const seen: Entry[] = [];
const ended = record({
  interval: 10,
  limit: Infinity,
  ...poll,
  see(entry) {
    seen.push(entry);
    if (seen.length !== 1) return;
    pass(100);
    tape.end(tape.sessions[0]);
  },
});
const other = record({ interval: 10, limit: Infinity, ...poll, see: (entry) => seen.push(entry) });
work(100);
other.stop();
assert.ok(ended.ended < other.ended);
assert.equal(seen[1], seen[0], "both see an entry before the next");
assert.equal(new Set(seen).size, seen.length - 2, "of each session: two entries were for both");
assert.ok(seen.every((entry, i) => i === 0 || entry.time >= seen[i - 1].time));

// Without anything that reads it the tape is bounded.
const unread = tape.begin({ interval: 10, limit: Infinity, ...poll });
tape.read = undefined;
work(20_000);
assert.ok(tape.entries.length <= 500, `${tape.entries.length} entries`);
tape.end(unread);
