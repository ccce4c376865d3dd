// V8 forgets what a recording has taught it about checks when it collects the object that they
// called (core/flag.ts). But it hardly ever collects a program whose objects all die young, which
// would stay as slow as while it was recorded. So V8 is made to collect after the end.
import { builtin } from "../core/builtin";
import { now } from "../core/real";
import { cancel, idly, type Timer } from "../core/timers";
import { readings } from "../stacks/format";

const ArrayBuffer = builtin("ArrayBuffer")!;

/** More memory outside its heap than V8 lets grow without collecting: 64 MiB. It is not written to, so the system provides none. */
const enough = 80 << 20;
/** V8 marks while the page works: one collection did what it should in half of the runs that were tried, three in all. */
const collections = 3;
/** Before each of them, in milliseconds. */
const pause = 1300;
/** Between the first collections after two ends: short recordings may follow each other closely. */
const apart = 60_000;

let timer: Timer;
let left = 0;
let latest = -apart;

/** Makes V8 collect a little later, unless a recording begins until then. */
export function forget() {
  if (!readings.isV8) return; // or no stack was read, and there is nothing to forget
  left = collections;
  timer = idly(collect, Math.max(pause, latest + apart - now()));
}

function collect() {
  if (!left) return;
  if (left === collections) latest = now();
  try {
    void new ArrayBuffer(enough).byteLength; // which is asked for, so that no minifier takes the whole for dead
  } catch {
    return; // it is not to be had: V8 collects when it wants
  }
  if (--left) timer = idly(collect, pause);
}

/** A recording begins. */
export function keep() {
  left = 0;
  cancel(timer);
}
