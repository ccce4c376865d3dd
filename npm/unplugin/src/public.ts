// Vite's public folder, which Vite copies past the bundle: its scripts and pages are part of the site.
import type { TreeFile } from "fieldprof";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Origin } from "../../plugin/copy";

export interface PublicFiles {
  files: TreeFile[];
  /** Those that have nothing to do with checks, or are too large to hold hashes of scripts. */
  others: Origin[];
}

/** Matches the names of what is instrumented. */
const instrumented = /(\.([cm]?js|html?|map)(\.(gz|br|zst))?|(^|\/)package\.json)$/i;

/** The extensions of what may hold hashes of scripts (settings of servers, manifests, templates), as in package transform/builddir. */
const holding = [
  "", ".json", ".jsonc", ".json5", ".webmanifest", ".importmap", ".htaccess", ".toml", ".yaml", ".yml", ".conf", ".config",
  ".xhtml", ".xht", ".shtml", ".php", ".phtml", ".cshtml", ".vbhtml", ".razor", ".aspx", ".jsp", ".jspx", ".erb", ".eex", ".heex", ".ejs", ".eta", ".hbs",
  ".mustache", ".njk", ".j2", ".jinja", ".jinja2", ".twig", ".latte", ".liquid", ".ftl", ".tmpl", ".tpl", ".gohtml",
];
const mayHold = (path: string) => holding.includes(/(\.[^./]*)?$/.exec(path)![0].toLowerCase());
const holds = /sha(256|384|512)-/;
const maxManifest = 16 << 20;

/** The contents of a file that is instrumented or renewed; undefined for others, and for what has gone meanwhile. */
async function readRelevant({ path, from }: Origin): Promise<Buffer | undefined> {
  if (instrumented.test(path)) return readFile(from);
  if (!mayHold(path)) return undefined;
  try {
    if ((await stat(from)).size > maxManifest) return undefined;
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
