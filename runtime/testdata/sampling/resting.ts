// A tick that was due while the thread rested is idle time, whichever comes first: a check of
// what the thread woke for, or the ping. One that was due while it ran is not, however soon
// the ping comes.
import assert from "node:assert/strict";
import { Board, rest } from "../../src/clock/board";
import type { Coordinator } from "../../src/clock/coordinator";
import { restOf } from "../../src/clock/resting";
import { Shared } from "../../src/clock/shared";
import { Idle, Program } from "../../src/core/kinds";

const entries: unknown[][] = [];
const board = new Board();
let pending = 0;
const coordinator = {
  board,
  get due() {
    return board.due - performance.timeOrigin;
  },
  run() {},
  drop: () => 0,
  clear: () => pending - (pending = 0),
} as unknown as Coordinator;
const shared = new Shared({ interval: 10, sessions: [], add: (time, due, ticks, kind) => entries.push([time - due >= 0, ticks, kind]) }, coordinator);

/** The first tick that pends was due so long ago, and this is known of the thread. */
function due(ago: number, what: number) {
  board.due = performance.timeOrigin + performance.now() - ago;
  board.rest = what;
}

/** The number of ticks that a check takes. */
function check(ago: number, what: number, ticks: number) {
  due(ago, what);
  return shared.take(performance.now(), ticks)[1];
}

/** The entries for ticks that no check took. */
function ping(ago: number, what: number, ticks: number, busy?: boolean) {
  due(ago, what);
  pending = ticks;
  shared.settle(busy);
  return entries.splice(0).map((entry) => entry.slice(1));
}

assert.equal(check(3, rest.Ran, 2), 2);
assert.equal(check(3, rest.Unknown, 2), 2);
assert.deepEqual(entries, []);
assert.equal(check(3, rest.Rested, 1), 0, "it woke for the task of this check");
assert.equal(check(30, rest.Rested, 3), 2, "it ran when the others were due");
assert.deepEqual(entries.splice(0), [[true, 1, Idle], [true, 1, Idle]]);

const hour = 3_600_000;
assert.deepEqual(ping(-hour, rest.Unknown, 1), [[1, Idle]], "it came soon");
assert.deepEqual(ping(hour, rest.Unknown, 1), [[1, Program]], "it came late");
assert.deepEqual(ping(-hour, rest.Ran, 1), [[1, Program]], "it ran, if only for a moment");
assert.deepEqual(ping(hour, rest.Rested, 1), [[1, Idle]], "it waited for a processor");
assert.deepEqual(ping(hour, rest.Rested, 4), [[1, Idle], [3, Program]], "it woke for something long");
assert.deepEqual(ping(-hour, rest.Rested, 1, true), [[1, Idle]]);

assert.equal(restOf(undefined)(), rest.Unknown);
assert.equal(restOf(process!.pid)(), rest.Unknown, "a thread that asks does not rest, and nobody has seen it rest");
