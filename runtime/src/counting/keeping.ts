// Where counts go: in Node into a file when the process ends, in a page to whoever listens
// when it is left.
import { now } from "../core/real";
import { counted, counts, forget, heart, runDry } from "./units";

/** What we use of Node's process. */
interface NodeProcess {
  env: Record<string, string | undefined>;
  pid: number;
  getBuiltinModule?(name: "fs"): { writeFileSync(path: string, text: string, options: { flag: string }): void };
  kill(pid: number, signal: string): void;
  listenerCount(event: string): number;
  off(event: string, hear: (signal: string) => void): void;
  on(event: string, hear: (signal: string) => void): void;
  stderr?: { write(text: string): void };
}

/** A program that has not rested for this long, in ms, would not receive a signal. */
const busy = 1000;
/** Files of earlier processes are kept: so many names are tried. */
const most = 10_000;

export function keep() {
  const { process } = globalThis as unknown as { process?: NodeProcess };
  if (process?.getBuiltinModule && process.env) return keepInFile(process, process.getBuiltinModule("fs"));
  if (process?.env && process.stderr && "pid" in process) process.stderr.write("fieldprof: this Node has no process.getBuiltinModule (20.16 has): no counts are written\n");
  globalThis.addEventListener?.("pagehide", () => {
    dispatchEvent(new CustomEvent("fieldprofcounts", { detail: counts() }));
    forget();
  });
}

function keepInFile(process: NodeProcess, files: { writeFileSync(path: string, text: string, options: { flag: string }): void }) {
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
  process.on("beforeExit", runDry);
  process.on("exit", write);
  handleSignals(process, write);
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

/** A signal without other listeners ends the process as before, but with its counts; a busy one at once, without (entry/register.ts). */
function handleSignals(process: NodeProcess, write: () => void) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let rested = now();
  let listening = false;
  const handle = (signal: string) => {
    if (process.listenerCount(signal) > 1) return; // the program handles it
    write();
    ignore();
    process.kill(process.pid, signal);
  };
  const ignore = () => {
    listening = false;
    for (const signal of signals) process.off(signal, handle);
  };
  const rest = () => {
    rested = now();
    if (listening) return;
    listening = true;
    for (const signal of signals) process.on(signal, handle);
  };
  rest();
  (setInterval(rest, busy / 4) as { unref?(): void }).unref?.(); // does not keep the process alive
  heart.beat = () => {
    if (listening && now() - rested > busy) ignore();
  };
}
