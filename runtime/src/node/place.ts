// Where our own files are. Their frames show in no profile, and other processes and
// threads are started from there.
import { fileURLToPath } from "node:url";

declare const __filename: string | undefined;

const own = import.meta.url || (typeof __filename === "string" ? __filename : "");

/** The folder of this file, with its last slash. */
const folder = (own.startsWith("file:") ? fileURLToPath(own) : own).replace(/[^/\\]*$/, "");

/** Whether it is the package's. A build may have put us into a file of the app: its other functions are the app's. */
const isPackage = /[/\\]@fieldprof[/\\]runtime[/\\]dist[/\\]$/.test(folder);

/** Whether a script is ours. Stacks have modules as URLs, and CommonJS as paths. */
export function isOurs(script: string): boolean {
  try {
    return isPackage && (script.startsWith("file:") ? fileURLToPath(script) : script).startsWith(folder);
  } catch {
    return false; // a URL of another system
  }
}

/** The path of a neighbour of this file. */
export function neighbour(name: string): string {
  return folder + name;
}
