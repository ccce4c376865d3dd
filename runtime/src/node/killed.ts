// Signals that end a process, and that nothing handles: it ends as before, but code runs first.
import { now } from "../core/real";
import { process } from "./nodeprocess";
import { Signals } from "./signals";

/** A program that has not rested for this long, in ms, would not receive a signal. */
const busy = 1000;

/** Signals that end a process, and that it can listen to. */
const deadly = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGALRM", "SIGXCPU", "SIGBREAK"];

const { setInterval } = globalThis;

/** How we listen to such signals. */
export interface Killed {
  /** Called now and then by a program that is busy: it must not become immortal. */
  look(): void;
  /** From now on a signal ends the process at once. */
  ignore(): void;
}

/** What such a signal finds. */
export interface Unwritten {
  /** Whether there is something to write. */
  has(): boolean;
  /** Called before a signal ends the process. */
  write(): void;
}

/**
 * Writes before such a signal ends the process; those in `taken` mean something else. A
 * busy program cannot receive signals: while it is busy, or there is nothing to write, we do not
 * listen, and a signal ends it at once, unless it has sent it itself. Numbers are those of signals.
 */
export function onKill(unwritten: Unwritten, numbers: Readonly<Record<string, number>>, taken: readonly string[] = []): Killed {
  const { kill, pid } = process;
  let rested = now();
  const signals = new Signals(
    deadly.filter((signal) => !taken.includes(signal)),
    (signal) => end.call(process, pid, signal),
  );
  const rest = () => {
    rested = now();
    if (unwritten.has()) signals.begin();
    else signals.end();
  };
  const nameOf = (signal: unknown) => Object.keys(numbers).find((name) => numbers[name] === signal) ?? String(signal);
  // Nothing runs after a deadly signal that a process sends to itself, unless it listens.
  const end = (process.kill = new Proxy(kill, {
    apply(kill, self, args: [target: unknown, signal?: unknown]) {
      if (Number(args[0]) === pid && signals.isOurs(nameOf(args[1] ?? "SIGTERM"))) {
        unwritten.write();
        signals.end();
      }
      return Reflect.apply(kill, self, args) as true;
    },
  }));
  rest();
  (setInterval(rest, busy / 4) as { unref?(): void }).unref?.(); // does not keep the process alive
  return {
    look() {
      if (now() - rested > busy) signals.end();
    },
    ignore() {
      try {
        signals.end();
      } catch {
        // The app has frozen its process: we still hear of signals.
      }
    },
  };
}
