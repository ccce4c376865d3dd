// A recording has its time of day by the clock as it is when it is made, and whatever fake
// timers put in the place of the realm's clocks.
import { setCalendar } from "./calendarfakes";
import assert from "node:assert/strict";
import { setLoader } from "../../src/recording/parts";
import { record } from "../../src/recording/reader";
import { raw } from "../../src/trace/raw";
import { Coordinator } from "../../src/clock/coordinator";

setLoader(() => new Promise(() => {}));
const { performance } = globalThis;

const recording = record({ interval: 10, limit: 10, clock: "poll" });
const year = 365 * 86_400_000;
setCalendar(50 * year);
// As @sinonjs/fake-timers does: any property that it does not know is a function.
const nothing = () => {};
Object.defineProperty(globalThis, "performance", { value: { now: () => 0, timeOrigin: nothing }, configurable: true });
globalThis.Date = class extends Date {
  static now = () => 0;
} as DateConstructor;
recording.stop();

const before = performance.now();
const { origin } = raw(recording);
assert.ok(origin <= 50 * year - before && origin >= 50 * year - performance.now(), `it ended at ${origin + before}`);

const coordinator = new Coordinator(new Int32Array(new SharedArrayBuffer(8)), 1, { ready() {}, ping() {}, failed: assert.fail });
coordinator.run(10);
assert.ok(coordinator.board.ordered > 0 && coordinator.due < Infinity, "the coordinator knows the time");
