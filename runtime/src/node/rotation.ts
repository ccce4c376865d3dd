// Writes profiles: to a temporary file first, so that a file that has its name is whole.
// A disk that is full or a folder that is gone is told once, and the next profile tries
// again.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { isOfFamily, type Names } from "./names";
import { Trouble } from "./say";

/** What is asked of a disk. */
export interface Disk {
  writeFileSync(path: string, contents: string | Uint8Array): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  readdirSync(path: string): string[];
}

/** What people are told of an error. */
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
    case "EISDIR":
      return "it is a folder";
  }
  return String((error as Error).message ?? error);
}

/** What is wrong with a place for files; undefined if one can be written there. */
export function tryOut(file: string, disk: Disk = fs): string | undefined {
  const part = `${file}.part`;
  try {
    disk.writeFileSync(part, "");
    disk.unlinkSync(part);
    return undefined;
  } catch (error) {
    return reason(error, file);
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

  /** Writes a file, and reports whether it is there. */
  write(file: string, contents: string | Uint8Array): boolean {
    const part = `${file}.part`;
    try {
      this.disk.writeFileSync(part, contents);
      this.disk.renameSync(part, file);
    } catch (error) {
      this.remove(part);
      const why = reason(error, file);
      this.trouble.begin(`the profile could not be written to ${file}: ${why}`, why);
      return false;
    }
    this.trouble.end();
    return true;
  }

  /** Removes the oldest of the app's files, of all its processes and threads, until so many remain. */
  rotate(names: Names, keep: number) {
    try {
      const time = (file: string) => file.slice(names.base.length);
      const files = this.disk.readdirSync(names.folder).filter((file) => isOfFamily(names, file));
      files.sort((a, b) => (time(a) < time(b) ? -1 : 1));
      for (const file of files.slice(0, Math.max(0, files.length - keep))) this.remove(join(names.folder, file));
    } catch (error) {
      this.say(`old profiles could not be removed: ${reason(error, join(names.folder, names.base))}`);
    }
  }

  private remove(file: string) {
    try {
      this.disk.unlinkSync(file);
    } catch {
      // Another process of the app was faster, or it never was.
    }
  }
}
