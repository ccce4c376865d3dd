// Where our own files are. Frames of theirs show in no profile, and other processes and
// threads are started from there.
import { fileURLToPath } from "node:url";

declare const __filename: string | undefined;

const own = import.meta.url || (typeof __filename === "string" ? __filename : "");

/** The folder of our files, with its last slash. */
const folder = (own.startsWith("file:") ? fileURLToPath(own) : own).replace(/[^/\\]*$/, "");

/** Whether a script is ours. Stacks have modules as URLs, and CommonJS as paths. */
export function isOurs(script: string): boolean {
  try {
    return folder.length > 1 && (script.startsWith("file:") ? fileURLToPath(script) : script).startsWith(folder);
  } catch {
    return false; // a URL of another system
  }
}

/** The path of a neighbour of this file. */
export function neighbour(name: string): string {
  return folder + name;
}
