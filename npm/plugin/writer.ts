// Writes outputs to disk.
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A file by its absolute path. */
export interface Output {
  path: string;
  contents: Uint8Array;
}

/** How many files are written at a time. */
const hands = 8;

/**
 * Writes the outputs of repeated builds. A file takes its name when it is complete, and a
 * file that already has its contents is left alone, so that watchers are not woken. Files
 * that the last build wrote and this one does not are removed, except those in `stay`, which
 * the service or another writer may have written.
 */
export class Writer {
  private last = new Map<string, Written>();

  async write(files: readonly Output[], stay: Pick<ReadonlySet<string>, "has"> = new Set()): Promise<void> {
    const rest = [...files];
    const now = new Map<string, Written>();
    const work = async () => {
      for (let file = rest.pop(); file; file = rest.pop()) now.set(file.path, await this.writeOne(file));
    };
    await Promise.all(Array.from({ length: hands }, work));
    for (const path of this.last.keys()) if (!now.has(path) && !stay.has(path)) await rm(path, { force: true });
    this.last = now;
  }

  /** Whether the last build wrote a file. */
  has(path: string): boolean {
    return this.last.has(path);
  }

  private async writeOne({ path, contents }: Output): Promise<Written> {
    const last = this.last.get(path);
    if (last && same(last.contents, contents) && (await timeOf(path)) === last.time) return last;
    if (!(await holds(path, contents))) await replace(path, contents);
    return { contents, time: await timeOf(path) };
  }
}

/** The contents that we wrote and when, by the clock of the disk. */
interface Written {
  contents: Uint8Array;
  time: number | undefined;
}

const timeOf = (path: string) => stat(path).then((found) => found.mtimeMs, () => undefined);

const same = (a: Uint8Array, b: Uint8Array) => a === b || Buffer.compare(a, b) === 0;

async function replace(path: string, contents: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, contents);
    const mode = await modeFor(path, contents);
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The permissions of the file whose place is taken or, where none was a program, of a program; undefined: those of any file. */
async function modeFor(path: string, contents: Uint8Array): Promise<number | undefined> {
  const there = await stat(path).catch(() => undefined);
  const mode = there?.isFile() ? there.mode & 0o777 : undefined;
  if (!isProgram(contents) || (mode !== undefined && isProgram(await readFile(path)))) return mode;
  return 0o777 & ~process.umask();
}

const isProgram = (contents: Uint8Array) => contents[0] === 0x23 && contents[1] === 0x21; // "#!"

async function holds(path: string, contents: Uint8Array): Promise<boolean> {
  try {
    return (await stat(path)).size === contents.length && (await readFile(path)).equals(contents);
  } catch {
    return false;
  }
}
