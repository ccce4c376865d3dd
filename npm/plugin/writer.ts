// Writes outputs to disk.
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A file by its absolute path. */
export interface OutputPlace {
  path: string;
  contents: Uint8Array;
}

/** How many files are written at a time. */
const hands = 8;

/**
 * Writes what a build gives, again and again. A file takes its name when it is
 * complete, and one that has its contents is left alone, so that who watches it
 * is not woken. What the last build wrote and this one does not is removed.
 */
export class Writer {
  private last = new Set<string>();

  async write(files: readonly OutputPlace[]): Promise<void> {
    const rest = [...files];
    const work = async () => {
      for (let file = rest.pop(); file; file = rest.pop()) await writeOne(file);
    };
    await Promise.all(Array.from({ length: hands }, work));
    const now = new Set(files.map((file) => file.path));
    for (const path of this.last) if (!now.has(path)) await rm(path, { force: true });
    this.last = now;
  }
}

async function writeOne({ path, contents }: OutputPlace): Promise<void> {
  if (await holds(path, contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, contents);
    if (contents[0] === 0x23 && contents[1] === 0x21) await chmod(temporary, 0o777 & ~process.umask()); // "#!": a program
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function holds(path: string, contents: Uint8Array): Promise<boolean> {
  try {
    return (await stat(path)).size === contents.length && (await readFile(path)).equals(contents);
  } catch {
    return false;
  }
}
