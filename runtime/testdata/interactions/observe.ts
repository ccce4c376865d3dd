// observe() in a realm whose time, messages and entries the test makes.
import { endTask, idle, pass, setClock } from "../sampling/fakes";
import "./lib/timeline";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { observe, type ObserveOptions, type Slice } from "../../src/entry/interactions";
import * as trace from "../../src/entry/trace";
import { setLoader } from "../../src/recording/parts";
import "../../src/recording/sampler";
import type { Tape } from "../../src/recording/tape";
import { event, happens } from "./lib/timeline";

setLoader(async () => trace);
trace.readTablesBy(async () => null);
const { flag } = checks;

function work(milliseconds: number) {
  for (let i = 0; i < milliseconds * 100; i++) {
    pass(0.01);
    if ((flag[1] = flag[0])) flag.c.c(1);
  }
}

/** Lets promises settle, and time pass in between. */
async function rest(milliseconds: number) {
  for (let i = 0; i < 10; i++) {
    idle(milliseconds / 10);
    for (let turn = 0; turn < 100; turn++) await null;
  }
}

async function start(options: ObserveOptions = {}) {
  const slices: Slice[] = [];
  const notes: string[] = [];
  const observing = observe({ onslow: (slice) => slices.push(slice), onnote: (note) => notes.push(note), ...options });
  await rest(1000);
  return { observing, slices, notes };
}
const busyOf = ({ trace }: Slice) => trace.samples.filter(({ stackId }) => stackId !== undefined).length;
const ticksOf = ({ trace }: Slice) => trace.samples.length;
const marksOf = ({ trace }: Slice) => trace.fieldprof!.marks!.map(({ what, name }) => `${what} ${name}`);

/** A click whose handler takes so long; its entries come in two callbacks. */
function click(id: number, milliseconds: number) {
  const began = performance.now();
  pass(4);
  const from = performance.now();
  work(milliseconds);
  const to = performance.now();
  endTask();
  pass(16);
  happens("longtask", { name: "self", startTime: from, duration: milliseconds });
  happens("event", event(id, "pointerup", began, 8, from, from));
  happens("event", event(id, "click", began, to + 16 - began, from, to), event(0, "mouseover", began, 400, from, to));
  return began;
}

// A slow click is one slice: the samples of its time, and the other events of that time.
{
  const { observing, slices, notes } = await start();
  happens("mark", { name: "before", startTime: performance.now(), duration: 0 });
  await rest(500);
  const began = click(7, 300);
  happens("measure", { name: "render https://a.example/?secret=1", startTime: began + 20, duration: 50 });
  await rest(2000);
  assert.equal(slices.length, 1, JSON.stringify(slices.map(({ what, name }) => [what, name])));
  const [slice] = slices;
  const { what, name, target, start: at, duration, inputDelay, processing, presentation, unknown } = slice;
  assert.deepEqual([what, name, target, at, Math.round(duration)], ["interaction", "click", "button#go.a.b", began, 320]);
  assert.deepEqual([inputDelay, processing, presentation].map((part) => Math.round(part!)), [4, 300, 16]);
  assert.deepEqual(unknown, []);
  assert.deepEqual(marksOf(slice), ["interaction click", "long-task task", "measure render https://a.example/"]);
  assert.ok(Math.abs(ticksOf(slice) - 32) < 20 && busyOf(slice) > 10, `${busyOf(slice)} of ${ticksOf(slice)} ticks`);
  assert.ok(slice.trace.samples.every(({ timestamp }) => timestamp >= at && timestamp <= at + duration));
  assert.deepEqual(notes, []);

  // It is in slices(), as the same object; and a click that is not slow is only counted.
  assert.deepEqual((await observing.slices()).map((other) => other === slice), [true]);
  click(14, 60);
  await rest(2000);
  assert.equal(slices.length, 1);
  const { interactions, slow, longTasks, inp, dropped } = observing.counts;
  assert.deepEqual([interactions, slow, longTasks, Math.round(inp!), dropped], [2, { interaction: 1, "long-task": 1 }, 2, 320, 0]);

  // The ring forgets.
  await rest(40_000);
  assert.deepEqual(await observing.slices(), []);
  await observing.stop();
  click(21, 500);
  await rest(2000);
  assert.equal(slices.length, 1, "it has ended");
}

// Two things that are slow for different reasons are two slices: a long task, and a click late in it.
{
  const { observing, slices } = await start();
  const began = performance.now();
  work(2000);
  const from = performance.now();
  endTask();
  pass(16);
  happens("longtask", { name: "self", startTime: began, duration: 2000 });
  happens("event", event(70, "keydown", from - 250, 266, from, from + 2));
  await rest(2000);
  assert.deepEqual(slices.map(({ what }) => what).sort(), ["interaction", "long-task"]);
  assert.ok(busyOf(slices.find(({ what }) => what === "long-task")!) > 100);

  // An interaction that gets longer after its slice was given is given again, and counted once.
  happens("event", event(70, "keyup", performance.now() - 500, 500, performance.now() - 400, performance.now() - 300));
  await rest(2000);
  assert.deepEqual([slices.length, observing.counts.slow.interaction], [3, 1]);
  await observing.stop();
}

// A clock that jumps, entries from the future and from before the profile: bounded, and said.
{
  const { observing, slices } = await start();
  setClock(-500);
  happens("event", event(700, "click", performance.now() + 1e6, 1e7, performance.now() + 2e6, -5));
  happens("event", event(707, "click", performance.now() - 1200, 900, performance.now() - 1100, performance.now() - 1000));
  happens("event", event(714, "click", 0, 300, 100, 200));
  happens("longtask", { name: "cross-origin-descendant", startTime: NaN, duration: 900 });
  await rest(2000);
  const now = performance.now();
  for (const { start, duration, unknown } of slices) {
    assert.ok(start >= 0 && duration >= 0 && start + duration <= now);
    assert.ok(unknown.length > 0, "it says what is unknown");
  }
  assert.ok(slices.some(({ unknown }) => unknown.some((text) => /profile began later/.test(text))));

  // Thousands of events in a second: most are counted only.
  for (let i = 0; i < 5000; i++) happens("event", event(7 * i + 7000, "keydown", now - 400, 400, now - 300, now - 10));
  await rest(5000);
  const { dropped, interactions } = observing.counts;
  assert.ok(dropped > 4900, `${dropped} were dropped`);
  assert.ok(interactions >= 5000, `${interactions} are counted`);
  assert.ok(slices.length < 20, `${slices.length} slices`);

  // Entries that throw reach neither the page nor the others.
  const odd = new Proxy({}, { get: () => assert.fail("hostile") });
  for (const type of ["event", "first-input", "longtask", "mark", "measure"]) happens(type, odd, null as never, 5 as never);
  await observing.stop();
}

// Listeners that throw are their own concern; thresholds that are none are the defaults.
{
  const fails = () => assert.fail("a listener");
  const { observing } = await start({ onslow: fails, onnote: fails, thresholds: { interaction: NaN, "long-task": Infinity } });
  click(7, 300);
  await rest(2000);
  assert.deepEqual(observing.counts.slow, { interaction: 1 });
  await observing.stop();
  await observing.stop();
  assert.equal((await observing.slices()).length, 1, "what there was");
}

// When the rolling profile has exceeded its budget there are counts, a note, and no slices.
{
  let over = 0;
  const { observing, slices, notes } = await start({ onover: () => over++ });
  const { sessions } = checks.tape as Tape;
  sessions[0].settings.onover!("it took too much");
  click(7, 300);
  await rest(2000);
  assert.deepEqual([slices, notes, over], [[], ["no more slices are made: it took too much"], 1]);
  assert.equal(observing.counts.slow.interaction, 1);
  await observing.stop();
}

// Without a runtime there are counts, and a note.
{
  delete (globalThis as { __fieldprof?: unknown }).__fieldprof;
  const { observing, slices, notes } = await start();
  click(7, 300);
  await rest(2000);
  assert.deepEqual([slices, notes.length, observing.counts.slow.interaction], [[], 1, 1]);
  assert.deepEqual(await observing.slices(), []);
  await observing.stop();
}
