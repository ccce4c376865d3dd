// Writes profiled copies of outputs. Several outputs may have their copies in one folder, and others may have added files. Files that
// earlier builds wrote, and whose originals bundlers have removed from the output, are removed: with hashes in names each release would
// add its own.
import { createHash } from "node:crypto";
import { access, copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { TreeFile } from "fieldprof";
import type { Writer } from "./writer";

/** A copy: the output that it is of, its folder, the files that the service gave, and others on the disk. */
export interface Copy {
  output: string;
  folder: string;
  files: readonly TreeFile[];
  others?: readonly Origin[];
}

/** A file on the disk, and its path in the output. */
export interface Origin {
  path: string;
  from: string;
}

/** The last work on each folder. */
const last = new Map<string, Promise<void>>();

/** Writes a copy, after those that are being written to its folder. The writer leaves the files in `stay`. */
export function writeCopy(copy: Copy, writer: Writer, stay?: Pick<ReadonlySet<string>, "has">): Promise<void> {
  const work = (last.get(copy.folder) ?? Promise.resolve()).then(() => write(copy, writer, stay));
  last.set(copy.folder, work.catch(() => {}));
  return work;
}

async function write({ output, folder, files, others = [] }: Copy, writer: Writer, stay?: Pick<ReadonlySet<string>, "has">): Promise<void> {
  const earlier = readManifest(await readFile(join(folder, manifestPath), "utf8").catch(() => "{}"));
  const made = new Set([...files, ...others].map(({ path }) => path));
  const [kept, left]: [string[], string[]] = [[], []];
  const beside = outputsIn(folder).add(output);
  for (const path of await written(folder, earlier)) {
    if (!made.has(path)) (path.startsWith("fieldprof/") || (await isOfAny(beside, path, made)) ? kept : left).push(path);
  }
  const tree = withManifest(files, earlier, [...kept, ...others.map(({ path }) => path)]);
  await writer.write(tree.map(({ path, contents }) => ({ path: join(folder, path), contents })), stay);
  for (const path of left) await rm(join(folder, path), { force: true });
  for (const { path, from } of others) await place(from, join(folder, path));
}

/** The paths in a copy that earlier builds wrote. */
async function written(folder: string, { ours }: Manifest): Promise<string[]> {
  if (ours.length === 0) return [];
  const digests = new Set(ours);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  return paths.filter((path) => digests.has(digestOf(path)));
}

/** The outputs of this process that have their copy in a folder. */
function outputsIn(folder: string): Set<string> {
  const known = outputs.get(folder) ?? new Set();
  outputs.set(folder, known);
  return known;
}
const outputs = new Map<string, Set<string>>();

/** Whether an output has a file, or that which a function table or a map is of and which was not made anew without it. */
async function isOfAny(beside: Iterable<string>, path: string, made: ReadonlySet<string>): Promise<boolean> {
  const of = path.replace(/\.functions\.json$|(?<=\.([cm]?js|html?))\.map$/i, "");
  for (const output of beside) {
    if ((await exists(join(output, path))) || (of !== path && !made.has(of) && (await exists(join(output, of))))) return true;
  }
  return false;
}

const exists = (path: string) => access(path).then(() => true, () => false);

async function place(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

const manifestPath = "fieldprof/manifest.json";

/** The lists in a manifest. */
interface Manifest {
  scripts: string[];
  pages: string[];
  /** Digests of the paths of all files: the manifest may be published. */
  ours: string[];
}

function readManifest(text: string): Manifest {
  let manifest: Partial<Record<string, unknown>> = {};
  try {
    manifest = Object(JSON.parse(text)) as typeof manifest;
  } catch {
    // It is not one that we wrote.
  }
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return { ...manifest, scripts: list(manifest.scripts), pages: list(manifest.pages), ours: list(manifest.ours) };
}

/** The files of a copy, with a manifest that lists more paths; the earlier one tells which of these have checks. */
function withManifest(files: readonly TreeFile[], earlier: Manifest, more: readonly string[]): readonly TreeFile[] {
  const given = files.find(({ path }) => path === manifestPath);
  if (given ? more.length === 0 : earlier.ours.length === 0) return files;
  const now = given ? readManifest(Buffer.from(given.contents).toString()) : { ...earlier, scripts: [], pages: [] };
  const stays = new Set(more);
  const paths = [...more, ...files.map(({ path }) => path)];
  const manifest = {
    ...now,
    scripts: [...now.scripts, ...earlier.scripts.filter((path) => stays.has(path))],
    pages: [...now.pages, ...earlier.pages.filter((path) => stays.has(path))],
    ours: [...new Set(paths.map(digestOf))].sort(),
  };
  const contents = Buffer.from(JSON.stringify(manifest, null, "\t") + "\n");
  return [...files.filter((file) => file !== given), { path: manifestPath, contents }];
}

const digestOf = (path: string) => createHash("sha256").update(path).digest().subarray(0, 12).toString("base64url");
