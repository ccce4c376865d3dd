// The count of ticks goes round after weeks, and what is on the board stays where it is.
import assert from "node:assert/strict";
import { Board, word } from "../../src/clock/board";

const board = new Board();
const before = board.words.slice(0, 2 * word.Late);
for (const from of [0, 2 ** 31 - 100, 2 ** 32 - 100]) {
  for (let tick = from; tick < from + 200; tick++) board.late(tick | 0, tick);
  assert.deepEqual(board.words.slice(0, 2 * word.Late), before);
  board.words[word.Raised] = from + 200;
  assert.deepEqual(board.lates().sort(), Array.from({ length: 64 }, (_, i) => from + 136 + i).sort(), `after ${from} ticks`);
  board.words[word.Raised] = 0;
}
