// Where our own files are. Frames of theirs show in no profile, and other processes and
// threads are started from there.
declare const __filename: string | undefined;

const own = import.meta.url || (typeof __filename === "string" ? __filename : "");

/** The folder of our files, as stacks name it, with its last slash. */
export const folder = own.replace(/[^/\\]*$/, "");

/** Whether a script of this URL or path is ours. */
export function isOurs(url: string): boolean {
  return folder.length > 1 && url.startsWith(folder);
}

/** A neighbour of this file, as Worker and spawn take it. */
export function neighbour(name: string): URL | string {
  return folder.startsWith("file:") ? new URL(name, folder) : folder + name;
}
