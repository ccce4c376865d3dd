// Vite's public folder, which Vite copies past the bundle: its scripts and pages are part of the site.
import type { TreeFile } from "fieldprof";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

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
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const all = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((from): Origin => ({ path: relative(folder, from).replaceAll(sep, "/"), from }))
    .filter(({ path }) => !isBundled(path));
  const read = all.filter(({ path }) => relevant.test(path)).map(async ({ path, from }) => ({ path, contents: await readFile(from) }));
  return { files: await Promise.all(read), others: all.filter(({ path }) => !relevant.test(path)) };
}
