// Writes profiles: to a temporary file first, so that a file that has its name is whole.
// A disk that is full or a folder that is gone is reported once, and the next profile tries
// again. If it is the profiles themselves that fill the disk, the oldest goes first.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { isOfFamily, type Names } from "./names";
import { Trouble } from "./say";

/** The functions that a disk must have. */
export interface Disk {
  writeFileSync(path: string, contents: string | Uint8Array): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  readdirSync(path: string): string[];
}

/** The text that reports an error. */
export function reason(error: unknown, file: string): string {
  const { code } = error as { code?: string };
  switch (code) {
    case "ENOENT":
      return `the folder ${dirname(file)} does not exist`;
    case "ENOTDIR":
      return `${dirname(file)} is not a folder`;
    case "EACCES":
    case "EPERM":
      return `writing to ${dirname(file)} is not permitted`;
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "EFBIG":
      return "the file would be larger than this process may write";
    case "EISDIR":
      return "it is a folder";
  }
  return String((error as Error).message ?? error);
}

/** Whether an error says that other files take the room. */
function isFull(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "ENOSPC" || code === "EDQUOT";
}

/** A disk that is full still takes an empty file. */
const trial = " ".repeat(4096);

/** The temporary file. */
const partOf = (file: string) => `${file}.part`;

/** Removes the temporary file of a writer that was killed, if there is one. */
export function removePart(file: string) {
  remove(partOf(file), fs);
}

/** The reason why no file can be written to a place; undefined if one can. */
export function tryOut(file: string, disk: Disk = fs): string | undefined {
  const part = partOf(file);
  try {
    disk.writeFileSync(part, trial);
    return undefined;
  } catch (error) {
    return reason(error, file);
  } finally {
    remove(part, disk);
  }
}

function remove(file: string, disk: Disk) {
  try {
    disk.unlinkSync(file);
  } catch {
    // Another process of the app was faster, or it never was.
  }
}

export class Writer {
  private readonly trouble: Trouble;

  constructor(
    private readonly say: (text: string) => void,
    private readonly disk: Disk = fs,
  ) {
    this.trouble = new Trouble(say, "profiles are written again");
  }

  /**
   * Writes a file, and reports whether it is there. If the disk is full, it tries once more
   * after makeRoom, if that has removed something.
   */
  write(file: string, contents: string | Uint8Array, makeRoom = () => false): boolean {
    let error = this.attempt(file, contents);
    if (error && isFull(error) && makeRoom()) error = this.attempt(file, contents);
    if (!error) {
      this.trouble.end();
      return true;
    }
    const why = reason(error, file);
    this.trouble.begin(`the profile could not be written to ${file}: ${why}`, why);
    return false;
  }

  /** Writes a file as a whole, or leaves nothing and returns what is wrong. */
  private attempt(file: string, contents: string | Uint8Array): unknown {
    const part = partOf(file);
    try {
      this.disk.writeFileSync(part, contents);
      this.disk.renameSync(part, file);
      return undefined;
    } catch (error) {
      remove(part, this.disk);
      return error;
    }
  }

  /**
   * Removes the oldest of the app's files, of all its processes and threads, until so many
   * remain. Returns how many it removed.
   */
  rotate(names: Names, keep: number): number {
    try {
      const time = (file: string) => file.slice(names.base.length);
      const files = this.disk.readdirSync(names.folder).filter((file) => isOfFamily(names, file));
      files.sort((a, b) => (time(a) < time(b) ? -1 : 1));
      const old = files.slice(0, Math.max(0, files.length - keep));
      for (const file of old) remove(join(names.folder, file), this.disk);
      return old.length;
    } catch (error) {
      this.say(`old profiles could not be removed: ${reason(error, join(names.folder, names.base))}`);
      return 0;
    }
  }
}
