// Timers as the browser has them. A page whose timers throw has none: what is to run later never
// runs there, and nothing else fails.
import { builtin } from "./builtin";

const setTimeout = builtin("setTimeout")!;
const clearTimeout = builtin("clearTimeout")!;

export type Timer = ReturnType<typeof globalThis.setTimeout> | undefined;

/** Runs a task after some milliseconds, in a task of its own. */
export function later(task: () => void, milliseconds?: number): Timer {
  try {
    return setTimeout(task, milliseconds);
  } catch {
    return undefined;
  }
}

/** As later, but it does not keep Node alive. */
export function idly(task: () => void, milliseconds: number): Timer {
  const timer = later(task, milliseconds);
  (timer as { unref?(): void } | undefined)?.unref?.();
  return timer;
}

/** The task will not run. */
export function cancel(timer: Timer) {
  try {
    clearTimeout(timer);
  } catch {
    // Then it runs, and finds nothing to do.
  }
}
