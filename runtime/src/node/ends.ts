// The ways in which a process ends and lets code run: exit, which also comes after an
// uncaught exception, and signals that nothing else handles.
import { constants } from "node:os";
import { onKill, type Unwritten } from "./killed";
import { process } from "./nodeprocess";
import { onSample } from "./taken";

/** Writes when the process ends. The signals in `taken` mean something else. */
export function atEnd(unwritten: Unwritten, taken: readonly string[] = []) {
  const killed = onKill(unwritten, constants.signals, taken);
  onSample(() => killed.look());
  process.on("exit", () => {
    killed.ignore(); // a signal that a listener sends ends the process at once
    unwritten.write();
  });
}
