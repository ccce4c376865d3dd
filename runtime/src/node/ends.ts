// The ways in which a process ends and lets code run: exit, which also comes after an
// uncaught exception, and signals that nobody else handles.
import process from "node:process";
import { now } from "../core/real";
import { onSample } from "./taken";

/** A program that has not rested for this long, in ms, would not receive a signal. */
const busy = 1000;

/** Signals that end a process, and that it can be told of. */
const deadly = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGALRM", "SIGXCPU", "SIGBREAK"];

const { setInterval } = globalThis;

/** Calls write when the process ends. The signals in `taken` mean something else. */
export function atEnd(write: () => void, taken: readonly string[] = []) {
  process.on("exit", write);
  handleSignals(
    write,
    deadly.filter((signal) => !taken.includes(signal)),
  );
}

/**
 * A signal without other listeners ends the process as before, but with its profile. A
 * busy program cannot receive signals, and must not become immortal: while it is busy we
 * do not listen, and a signal ends it without a profile.
 */
function handleSignals(write: () => void, signals: string[]) {
  const { kill, pid } = process;
  let rested = now();
  let listening = false;
  const handle = (signal: string) => {
    if (process.listenerCount(signal) > 1) return; // the app handles it
    write();
    ignore();
    kill.call(process, pid, signal);
  };
  const ignore = () => {
    listening = false;
    for (const signal of signals) process.off(signal, handle);
  };
  const rest = () => {
    rested = now();
    if (listening) return;
    listening = true;
    for (const signal of signals) listen(signal, handle);
  };
  rest();
  (setInterval(rest, busy / 4) as { unref?(): void }).unref?.(); // does not keep the process alive
  onSample(() => {
    if (listening && now() - rested > busy) ignore();
  });
}

/** Before other listeners: one that listens once is gone when those after it are called. */
function listen(signal: string, handle: (signal: string) => void) {
  try {
    process.prependListener(signal, handle);
  } catch {
    // Not a signal of this system.
  }
}
