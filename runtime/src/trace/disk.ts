// Function tables on a disk, for Node: `file:` URLs and paths. Pages do not have this
// file: code that runs in Node passes it to readTablesBy.
import { Fault } from "./clean";
import { largestTable, type Read } from "./tables";

export interface Files {
  stat(path: string | URL): Promise<{ size: number }>;
  readFile(path: string | URL, options: { encoding: "utf8"; signal: AbortSignal }): Promise<string>;
}

/** Reads files through node:fs/promises, which the caller imports. */
export function readFrom(files: Files): Read {
  return async (url, signal) => {
    const path = url.startsWith("file:") ? new URL(url) : url;
    if (/^https?:/.test(url)) return null;
    let size: number;
    try {
      ({ size } = await files.stat(path));
    } catch {
      return null; // it does not exist
    }
    if (size > largestTable) throw new Fault("it is too large");
    return files.readFile(path, { encoding: "utf8", signal });
  };
}
