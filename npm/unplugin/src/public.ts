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

/** Matches the names of what may hold hashes of scripts: settings of servers, manifests, templates. */
const mayHold = /(^|\/)[^./]+$|(^|\/)\.htaccess$|\.(json[c5]?|webmanifest|importmap|toml|ya?ml|conf(ig)?|xht(ml)?|shtml|p?html|php|ejs|hbs|mustache|njk|twig|tmpl|tpl|gohtml)$/i;
const holds = /sha(256|384|512)-/;
const mostOfManifest = 1 << 20;

/** The contents of a file that is instrumented or renewed; undefined for others, and for what has gone meanwhile. */
async function readRelevant({ path, from }: Origin): Promise<Buffer | undefined> {
  if (instrumented.test(path)) return readFile(from);
  if (!mayHold.test(path)) return undefined;
  try {
    if ((await stat(from)).size > mostOfManifest) return undefined;
    const contents = await readFile(from);
    return holds.test(contents.toString("latin1")) ? contents : undefined;
  } catch {
    return undefined; // who copies it will say so
  }
}

/** Reads the folder, except for files that the bundle has, too. */
export async function readPublic(folder: string, isBundled: (path: string) => boolean): Promise<PublicFiles> {
  const [files, others]: [TreeFile[], Origin[]] = [[], []];
  for await (const file of filesIn(folder)) {
    if (isBundled(file.path)) continue;
    const contents = await readRelevant(file);
    if (contents) files.push({ path: file.path, contents });
    else others.push(file);
  }
  return { files, others };
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
