// The coordinator's program: it sleeps until a deadline, raises the flag, and sleeps
// again. It never returns to its event loop, so it gets everything through the
// words of the board.
import { Board, word } from "./board";
import { Clock } from "./deadlines";
import { restOf } from "./resting";

/** The data that the worker is started with. */
export interface Orders {
  flag: Int32Array;
  memory: SharedArrayBuffer;
  seed: number;
  /** The number of the thread whose ticks these are, if the system can tell what it does. */
  thread?: number;
}

/** It posts word.State when it runs, and pings by the time: its own. */
function run({ flag, memory, seed, thread }: Orders, post: (ping: number) => void) {
  const board = new Board(memory);
  const { words } = board;
  const now = () => performance.timeOrigin + performance.now();
  const does = restOf(thread);
  let state = 0;
  let clock = new Clock(1, seed);
  post(word.State); // ready
  for (;;) {
    const read = Atomics.load(words, word.State);
    if (read < 0) return;
    if (read !== state) {
      state = read;
      board.ahead = board.ordered - now();
      clock = new Clock(board.interval, seed++);
      clock.begin(now());
    }
    const running = state & 1;
    const left = clock.deadline - now();
    if (!running || left > 0) {
      Atomics.wait(words, word.State, state, running ? left : Infinity);
      continue;
    }
    const due = clock.deadline;
    const passed = clock.pass(now());
    board.late(words[word.Raised], -left);
    if (Atomics.load(flag, 0) === 0) {
      board.due = due;
      board.rest = does();
    }
    Atomics.add(flag, 0, 1);
    Atomics.add(words, word.Raised, 1);
    board.missed += passed - 1;
    if (Atomics.exchange(words, word.Ping, 1) === 0) post(now());
  }
}

const node = (globalThis as { process?: { getBuiltinModule?(name: string): unknown } }).process?.getBuiltinModule?.("worker_threads") as
  | { parentPort: MessagePort; workerData: Orders }
  | undefined;
if (node) run(node.workerData, (ping) => node.parentPort.postMessage(ping));
else onmessage = (event) => run(event.data as Orders, (ping) => postMessage(ping));
