// Vite's public folder, which Vite copies past the bundle: its scripts and pages are part of the site.
import type { TreeFile } from "fieldprof";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A file on the disk, and its path in the output. */
export interface Origin {
  path: string;
  from: string;
}

export interface PublicFiles {
  files: TreeFile[];
  /** Those that have nothing to do with checks: videos and models may be too large to be read. */
  others: Origin[];
}

/** Matches the names of what is instrumented or renewed. */
const relevant = /(\.([cm]?js|html?|map)(\.(gz|br|zst))?|(^|\/)package\.json)$/i;

/** Reads the folder, except for files that the bundle has, too. */
export async function readPublic(folder: string, isBundled: (path: string) => boolean): Promise<PublicFiles> {
  const all: Origin[] = [];
  for await (const file of filesIn(folder)) if (!isBundled(file.path)) all.push(file);
  const read = all.filter(({ path }) => relevant.test(path)).map(async ({ path, from }) => ({ path, contents: await readFile(from) }));
  return { files: await Promise.all(read), others: all.filter(({ path }) => !relevant.test(path)) };
}

/** All files below a folder. Vite copies what links lead to. */
async function* filesIn(folder: string, parents = ""): AsyncGenerator<Origin> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const [path, from] = [parents + entry.name, join(folder, entry.name)];
    const found = entry.isSymbolicLink() ? await stat(from) : entry;
    if (found.isDirectory()) yield* filesIn(from, path + "/");
    else if (found.isFile()) yield { path, from };
  }
}
