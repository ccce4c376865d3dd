// Counts what will call the program again, to know when it has ended: its script, timers,
// animation frames and requests.
import { installRequests, type Counter } from "./requests";

const { setTimeout, clearTimeout, setInterval, clearInterval, requestAnimationFrame, cancelAnimationFrame, MessageChannel } = globalThis;

export interface Pending {
  /** How many are pending; the script is one of them. */
  readonly count: number;
  /** Says that the script is done. */
  release(): void;
}

type Task = (...values: never[]) => unknown;

/** Replaces the page's functions by ones that count; settled is called when nothing is pending. */
export function installPending(settled: () => void): Pending {
  const pending = {
    count: 1,
    release() {
      if (--pending.count === 0) settled();
    },
  };
  installTimers(pending);
  installRequests(pending);
  return pending;
}

/** Counts a task until it is called, once. */
function once(pending: Counter, task: Task): Task {
  pending.count++;
  return function (this: unknown, ...values) {
    try {
      return task.apply(this, values);
    } finally {
      pending.release();
    }
  };
}

/** The ID that a browser makes of what the program names: `"5"`, as a key of an object, is 5. */
const idOf = (named: unknown) => Number(named) | 0;

function installTimers(pending: Counter) {
  const define = (name: string, value: unknown) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  const running = new Set<number>(); // by ID: timeouts and intervals share IDs
  define("setTimeout", (task: unknown, ms?: number, ...values: never[]) => {
    if (typeof task !== "function") return setTimeout(task as string, ms);
    const id = setTimeout(
      once(pending, (...given) => {
        running.delete(id);
        return task(...given);
      }),
      ms,
      ...values,
    );
    running.add(id);
    return id;
  });
  define("setInterval", (task: unknown, ms?: number, ...values: never[]) => {
    pending.count++;
    const id = setInterval(task as Task, ms, ...values);
    running.add(id);
    return id;
  });
  const clear = (stop: (id?: number) => void) => (id?: number) => {
    stop(id);
    if (running.delete(idOf(id))) pending.release();
  };
  define("clearTimeout", clear(clearTimeout));
  define("clearInterval", clear(clearInterval));

  const frames = new Set<number>();
  define("requestAnimationFrame", (task: Task) => {
    const frame = requestAnimationFrame(
      once(pending, (time: never) => {
        frames.delete(frame);
        return task(time);
      }) as FrameRequestCallback,
    );
    frames.add(frame);
    return frame;
  });
  define("cancelAnimationFrame", (frame: number) => {
    cancelAnimationFrame(frame);
    if (frames.delete(idOf(frame))) pending.release();
  });

  const immediate = new Map<number, () => void>();
  let last = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    const task = immediate.get(data as number);
    immediate.delete(data as number);
    task?.();
  };
  define("setImmediate", (task: Task, ...values: never[]) => {
    const id = ++last;
    const counted = once(pending, task);
    immediate.set(id, () => counted(...values));
    port2.postMessage(id);
    return id;
  });
  define("clearImmediate", (id: number) => {
    if (immediate.delete(idOf(id))) pending.release();
  });
}
