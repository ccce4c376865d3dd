// A realm whose time and messages stand still until a test moves them. It must
// be imported before what is tested, which keeps the real ones from its load on.

let time = 1000;
let step = 0;
let reading = 0;
const ports: { onmessage: ((event: object) => void) | null; closed: boolean }[] = [];
let messages: (() => void)[] = [];
const timers: { at: number; task: () => void }[] = [];

globalThis.performance.now = () => {
  time += reading / 2;
  const shown = step ? Math.floor(time / step) * step : time;
  time += reading / 2;
  return shown;
};
globalThis.setTimeout = ((task: () => void, milliseconds = 0) => {
  timers.push({ at: time + milliseconds, task });
  return { unref() {} };
}) as unknown as typeof setTimeout;
globalThis.MessageChannel = class {
  port1 = { onmessage: null as ((event: object) => void) | null, closed: false, close() {} };
  port2 = {
    closed: false,
    close: () => {
      this.port2.closed = true;
    },
    postMessage: () => {
      messages.push(() => this.port2.closed || this.port1.onmessage?.({}));
    },
  };
  constructor() {
    ports.push(this.port1);
  }
} as unknown as typeof MessageChannel;

/** Lets time pass in the task that runs. */
export function pass(milliseconds: number) {
  time += milliseconds;
}

/** Ends the task: messages that were sent arrive. */
export function endTask() {
  const arrived = messages;
  messages = [];
  for (const arrive of arrived) arrive();
}

/** Lets time pass while nothing runs; timers that are due run, in order. */
export function idle(milliseconds: number) {
  endTask();
  const end = time + milliseconds;
  for (;;) {
    timers.sort((a, b) => a.at - b.at);
    if (!timers.length || timers[0].at > end) break;
    const { at, task } = timers.shift()!;
    time = Math.max(time, at);
    task();
    endTask();
  }
  time = Math.max(time, end);
}

/** From now on the clock advances in steps of some ms, and a reading takes some. */
export function setReading(steps: number, takes: number) {
  step = steps;
  reading = takes;
}

/** Draws numbers from 0 to 1, the same each time. */
export function makeRandom(state = 1) {
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Moves the clock alone. */
export function setClock(change: number) {
  time += change;
}
