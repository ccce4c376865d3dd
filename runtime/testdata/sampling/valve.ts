// A profile that costs more than it may ends itself, keeps its samples, and says so: on a
// clock that only work, captures and readings move.
import { endTask, idle, makeRandom, pass, setReading } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { record } from "../../src/recording/reader";
import { tape } from "../../src/recording/sampler";
import type { Settings } from "../../src/recording/sessions";
import { Meter } from "../../src/recording/meter";
import { raw } from "../../src/trace/raw";
import { traceOf } from "../../src/trace/standard";

setLoader(() => new Promise(() => {}));
const { flag } = checks;

// The cost of a capture, in milliseconds.
let capture = 0;
const add = tape.add.bind(tape);
tape.add = (...entry) => {
  if (entry[4]) pass(capture);
  add(...entry);
};

/** Works for some milliseconds of its own with a check each so many. */
function work(milliseconds: number, apart = 0.01) {
  for (let i = 0; i < milliseconds / apart; i++) {
    pass(apart);
    if ((flag[1] = flag[0])) flag.c.c(1);
  }
}

const heard: string[] = [];
let full = 0;
const begin = (settings: Partial<Settings>) => record({ interval: 10, limit: Infinity, clock: "poll", seed: 3, ...settings });
const onover = (why: string) => heard.push(why);

// Without a budget nothing is measured, and nothing ends.
capture = 5;
const free = begin({});
work(6000);
assert.ok(free.length > 300);
assert.equal(free.overhead, undefined);
free.stop();

// 10 % of the busy time is over 5 %, but not at once.
capture = 1;
const dear = begin({ maxOverhead: 5, onover, onfull: () => full++ });
work(2000);
assert.ok(!(dear.ended >= 0), "two seconds are no evidence");
assert.ok(Math.abs(dear.overhead!.percent - 9.1) < 1 && !dear.overhead!.exceeded, `it takes ${dear.overhead!.percent} %`);
work(4000); // and never rests
assert.ok(dear.ended - dear.started > 2500 && dear.ended - dear.started < 4500, `it ends after ${dear.ended - dear.started} ms`);
assert.equal(tape.interval, 0, "the clock rests");
assert.equal(flag[0], 0);
assert.deepEqual(heard, [], "not from inside a check");
endTask();
idle(1);
assert.match(heard.join(), /^recording ended after [234]\.\d s: it took (9|1\d)(\.\d)? % of the busy time, over its budget of 5 %$/);
assert.equal(full, 0, "onover is called instead");
assert.deepEqual([...dear.notes], heard);
const { account } = dear;
assert.equal(account.raised, account.taken + account.idle + account.program);
assert.ok(account.taken > 250 && dear.length > 250, "its samples stay");
const shut = dear.ended;
work(500);
idle(1000);
dear.stop();
assert.equal(dear.ended, shut);
assert.deepEqual(dear.account, account, "it gets nothing more");
assert.equal(heard.length, 1);
const written = raw(dear);
assert.ok(written.overhead!.exceeded && written.ended === shut && written.lost.includes(heard[0]));
const trace = await traceOf(dear);
assert.ok(trace.fieldprof!.overhead!.exceeded && trace.fieldprof!.lost.includes(heard[0]) && trace.samples.length > 250);

// A profile that stays under its budget goes on.
capture = 0.3;
const cheap = begin({ maxOverhead: 5, onover });
work(60_000);
assert.ok(!(cheap.ended >= 0) && Math.abs(cheap.overhead!.percent - 3) < 0.5, `it takes ${cheap.overhead!.percent} %`);
cheap.stop();

// Of the busy time: a page that waits for nine tenths of the time is not cheaper.
capture = 1;
const waiting = begin({ maxOverhead: 5, onfull: () => full++ });
let waited = 0;
for (; waited < 1000 && !(waiting.ended >= 0); waited++) {
  work(10);
  endTask();
  idle(90);
}
assert.ok(waited > 220 && waited < 400, `it ends after ${waited} tasks`);
idle(1);
assert.equal(full, 1, "without onover, the buffer is full");
waiting.stop();

// A reading of the clock costs, too, and a profile that does not pay for it goes on.
capture = 0;
setReading(0, 0.01);
tape.options.maxOverhead = 5;
const polled = begin({});
const other = begin({ maxOverhead: 50 });
work(10_000, 0.05); // so that each check reads
assert.ok(polled.ended - polled.started < 5000 && polled.overhead!.exceeded);
assert.ok(Math.abs(polled.overhead!.percent - 16.7) < 2, `readings take ${polled.overhead!.percent} %`);
assert.ok(!(other.ended >= 0) && other.length > 900);
polled.stop();
other.stop();
setReading(0, 0);
const quiet = begin({});
work(20_000);
assert.ok(quiet.overhead!.percent === 0 && !(quiet.ended >= 0));
quiet.stop();
tape.options.maxOverhead = undefined;

// In a coarse clock a reading takes nothing or, once in a while, a step. Chance ends nothing.
const random = makeRandom();
function ends(percent: number, budget: number) {
  const meter = new Meter(budget);
  const [step, each, interval] = [1, 32, 10]; // of the clock; readings for one that is timed; ms
  for (let tick = 1; tick <= 6000; tick++) {
    // So many of the readings before the tick fall on a step, and stand for each of theirs.
    const hits = Array.from({ length: 20 }, random).filter((r) => r < (percent / 100) * (interval / 20 / each / step)).length;
    meter.add(hits * each * step, hits * (each * step) ** 2, interval, 1);
    if (meter.judge()) return tick * interval;
  }
  return Infinity;
}
const times = (percent: number) => Array.from({ length: 40 }, () => ends(percent, 5));
assert.ok(times(4.5).filter((time) => time < Infinity).length <= 4, "a profile under its budget ends by chance");
assert.ok(times(10).every((time) => time >= 3000 && time < 40_000), "one that costs twice its budget goes on");
