// The profiled copies of a bundle's outputs, which Rollup, Rolldown and Vite write one after the other or at
// the same time, often into one folder.
import type { TreeFile } from "fieldprof";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { copyOf } from "../../plugin/folders";
import { Leftovers } from "../../plugin/leftovers";
import { Writer } from "../../plugin/writer";
import type { Origin } from "./public";

/** The part of an output's options that tells it from others; the bundlers hand the same object to all hooks. */
export interface OutputOptions {
  dir?: string;
  file?: string;
  format: string;
  entryFileNames?: unknown;
  chunkFileNames?: unknown;
}

/** A copy: its folder, the files that the service gave, and others on the disk. */
interface Copy {
  folder: string;
  files: TreeFile[];
  others: Origin[];
}

export class Copies {
  private readonly waiting = new WeakMap<OutputOptions, Copy>();
  /** By output: an output must not remove the files of another one. */
  private readonly writers = new Map<string, Writer>();
  private writing: Promise<void> = Promise.resolve();

  /** The folder of an output's copy: next to it, or the one given from a base. Throws if there can be none. */
  folderFor(output: OutputOptions, given: string | undefined, base: string): string {
    return copyOf(folderOf(output), given, base);
  }

  /** Keeps the copy of an output until that is written. */
  keep(output: OutputOptions, copy: Copy): void {
    this.waiting.set(output, copy);
  }

  /** Writes the copy of an output, and removes what earlier builds wrote: files that the bundler has removed, and all files if it watches. */
  async write(output: OutputOptions, watches: boolean): Promise<void> {
    const copy = this.waiting.get(output);
    if (!copy) return;
    this.waiting.delete(output);
    const { folder } = copy;
    const writer = this.writerOf(output);
    const stays = (path: string) => !watches || [...this.writers.values()].some((other) => other !== writer && other.has(path));
    const files = copy.files.map(({ path, contents }) => ({ path: join(folder, path), contents }));
    const write = async () => {
      const leftovers = await Leftovers.of(folder);
      await writer.write(files, { has: stays });
      await leftovers.remove(folderOf(output), new Set(copy.files.map(({ path }) => path)));
      for (const { path, from } of copy.others) await place(from, join(folder, path));
    };
    const written = this.writing.then(write); // in turn: a file may move from one output to another
    this.writing = written.catch(() => {});
    await written;
  }

  private writerOf({ dir, file, format, entryFileNames, chunkFileNames }: OutputOptions): Writer {
    const key = [dir, file, format, entryFileNames, chunkFileNames].map(String).join("\0");
    const writer = this.writers.get(key) ?? new Writer();
    this.writers.set(key, writer);
    return writer;
  }
}

async function place(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

/** The folder of an output. */
export const folderOf = ({ dir, file }: OutputOptions) => resolve(dir ?? (file ? dirname(file) : "."));
