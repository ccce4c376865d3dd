// The ways in which a process ends and lets code run: exit, which also comes after an
// uncaught exception, and signals that nothing else handles.
import { constants } from "node:os";
import { onKill } from "./killed";
import { process } from "./nodeprocess";
import { onSample } from "./taken";

/** Calls write when the process ends. The signals in `taken` mean something else. */
export function atEnd(write: () => void, taken: readonly string[] = []) {
  const killed = onKill(write, constants.signals, taken);
  onSample(() => killed.look());
  process.on("exit", () => {
    killed.ignore(); // a signal that a listener sends ends the process at once
    write();
  });
}
