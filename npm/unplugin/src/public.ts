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
  /** Those that have nothing to do with checks, or are too large to hold hashes of scripts. */
  others: Origin[];
}

/** Matches the names of what is instrumented. */
const instrumented = /(\.([cm]?js|html?|map)(\.(gz|br|zst))?|(^|\/)package\.json)$/i;

/** Matches the names of what holds no hashes of scripts. Any other small file may: `_headers`, manifests, templates. */
const media = /\.(a?png|jpe?g|jxl|gif|webp|avif|svgz?|ico|bmp|tiff?|woff2?|[ot]tf|eot|mp[34]|m4[av]|web[am]|og[gv]|wav|flac|pdf|zip|t?gz|br|zst|wasm|gl(b|tf)|bin|css)$/i;
const mostOfManifest = 1 << 20;

async function isRelevant({ path, from }: Origin): Promise<boolean> {
  return instrumented.test(path) || (!media.test(path) && (await stat(from)).size <= mostOfManifest);
}

/** Reads the folder, except for files that the bundle has, too. */
export async function readPublic(folder: string, isBundled: (path: string) => boolean): Promise<PublicFiles> {
  const all: Origin[] = [];
  for await (const file of filesIn(folder)) if (!isBundled(file.path)) all.push(file);
  const relevant = new Set<Origin>();
  for (const file of all) if (await isRelevant(file)) relevant.add(file);
  const read = [...relevant].map(async ({ path, from }) => ({ path, contents: await readFile(from) }));
  return { files: await Promise.all(read), others: all.filter((file) => !relevant.has(file)) };
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
