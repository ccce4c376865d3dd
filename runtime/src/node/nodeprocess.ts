// Node's process, as a global. A module that imports "node:process" makes Node read all
// properties of the process, for the names that could be imported. Once process.stdin has been
// read, standard input no longer blocks: readFileSync(0), by the app or by us, then fails
// with EAGAIN if it is faster than the writer.
import type node from "node:process";

export const process: typeof node = (globalThis as unknown as { process: typeof node }).process;
