// Where counts go: in Node into a file when the process ends, in a page to whatever listens
// when it is left.
import { onKill } from "../node/killed";
import { counted, counts, forget, heart, runDry } from "./units";

/** The other parts of Node's process that we use. */
interface NodeProcess {
  env: Record<string, string | undefined>;
  getBuiltinModule?: {
    (name: "fs"): { writeFileSync(path: string, text: string, options: { flag: string }): void };
    (name: "os"): { constants: { signals: Record<string, number> } };
  };
  on(event: string, hear: () => void): void;
  stderr?: { write(text: string): void };
}

/** Files of earlier processes are kept: so many names are tried. */
const most = 10_000;

export function keep() {
  const { process } = globalThis as unknown as { process?: NodeProcess };
  if (process?.getBuiltinModule && process.env) return keepInFile(process, process.getBuiltinModule);
  if (process?.env && process.stderr && "pid" in process) process.stderr.write("fieldprof: this Node has no process.getBuiltinModule (20.16 has): no counts are written\n");
  globalThis.addEventListener?.("pagehide", () => {
    dispatchEvent(new CustomEvent("fieldprofcounts", { detail: counts() }));
    forget();
  });
}

function keepInFile(process: NodeProcess, builtin: NonNullable<NodeProcess["getBuiltinModule"]>) {
  const files = builtin("fs");
  let written = false;
  const write = () => {
    if (written || !counted()) return;
    written = true;
    const path = process.env.FIELDPROF_COUNTS || "counts.json";
    try {
      writeNew(path, (to) => files.writeFileSync(to, counts(), { flag: "wx" }));
    } catch (error) {
      process.stderr?.write(`fieldprof: the counts could not be written to ${path}: ${error}\n`);
    }
  };
  const killed = onKill({ has: () => true, write }, builtin("os").constants.signals);
  heart.beat = () => killed.look();
  process.on("beforeExit", runDry);
  process.on("exit", () => {
    killed.ignore(); // a signal that a listener sends ends the process at once
    write();
  });
}

/** Writes counts.json, or counts-2.json if that exists, and so on. */
function writeNew(path: string, write: (path: string) => void) {
  const dot = /\.[^./\\]*$/.exec(path)?.index ?? path.length;
  for (let n = 1; ; n++) {
    try {
      return write(n === 1 ? path : `${path.slice(0, dot)}-${n}${path.slice(dot)}`);
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST" || n === most) throw error;
    }
  }
}
