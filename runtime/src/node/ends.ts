// The ways in which a process ends and lets code run: exit, which also comes after an
// uncaught exception, and signals that nobody else handles.
import { constants } from "node:os";
import { now } from "../core/real";
import { process } from "./nodeprocess";
import { Signals } from "./signals";
import { onSample } from "./taken";

/** A program that has not rested for this long, in ms, would not receive a signal. */
const busy = 1000;

/** Signals that end a process, and that it can be told of. */
const deadly = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGALRM", "SIGXCPU", "SIGBREAK"];

const { setInterval } = globalThis;

/** Calls write when the process ends. The signals in `taken` mean something else. */
export function atEnd(write: () => void, taken: readonly string[] = []) {
  const ignore = handleSignals(
    write,
    deadly.filter((signal) => !taken.includes(signal)),
  );
  process.on("exit", () => {
    ignore(); // a signal that a listener sends ends the process at once
    write();
  });
}

/**
 * A signal without other listeners ends the process as before, but with its profile. A
 * busy program cannot receive signals, and must not become immortal: while it is busy we
 * do not listen, and a signal ends it without a profile, unless it has sent it itself.
 * Returns what stops listening.
 */
function handleSignals(write: () => void, deadly: string[]): () => void {
  const { kill, pid } = process;
  let rested = now();
  const signals = new Signals(deadly, (signal) => end.call(process, pid, signal));
  const rest = () => {
    rested = now();
    signals.begin();
  };
  // Nothing runs after a deadly signal that a process sends to itself, unless it listens.
  const end = (process.kill = new Proxy(kill, {
    apply(kill, self, args: [target: unknown, signal?: unknown]) {
      if (Number(args[0]) === pid && signals.isOurs(nameOf(args[1] ?? "SIGTERM"))) {
        write();
        signals.end();
      }
      return Reflect.apply(kill, self, args) as true;
    },
  }));
  rest();
  (setInterval(rest, busy / 4) as { unref?(): void }).unref?.(); // does not keep the process alive
  onSample(() => {
    if (now() - rested > busy) signals.end();
  });
  return () => signals.end();
}

/** A signal by its name, given by that or by its number. */
function nameOf(signal: unknown): string {
  const known = Object.entries(constants.signals).find(([, number]) => number === signal);
  return known ? known[0] : String(signal);
}
