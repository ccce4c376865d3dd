// The profiled copies of a bundle's outputs, which Rollup, Rolldown and Vite write one after the other or at
// the same time, often into one folder.
import { dirname, resolve } from "node:path";
import { writeCopy, type Copy } from "../../plugin/copy";
import { copyOf } from "../../plugin/folders";
import { Writer } from "../../plugin/writer";

/** The part of an output's options that tells it from others; the bundlers hand the same object to all hooks. */
export interface OutputOptions {
  dir?: string;
  file?: string;
  format: string;
  entryFileNames?: unknown;
  chunkFileNames?: unknown;
}

/** What tells an output from others in each build: functions may have the same text. */
const identityOf = ({ dir, file, format, entryFileNames, chunkFileNames }: OutputOptions) => [dir, file, format, entryFileNames, chunkFileNames];

export class Copies {
  private readonly waiting = new WeakMap<OutputOptions, Copy>();
  /** One for each output, which must not remove the files of another one. */
  private readonly writers: { identity: readonly unknown[]; writer: Writer }[] = [];

  /** The folder of an output's copy: next to it, or the one given from a base. Throws if there can be none. */
  folderFor(output: OutputOptions, given: string | undefined, base: string): string {
    return copyOf(folderOf(output), given, base);
  }

  /** Keeps the copy of an output until that is written. */
  keep(output: OutputOptions, copy: Omit<Copy, "output">): void {
    this.waiting.set(output, { output: folderOf(output), ...copy });
  }

  /** Writes the copy of an output, and removes what earlier builds wrote: files that the bundler has removed, and all files if it watches. */
  async write(output: OutputOptions, watches: boolean): Promise<void> {
    const copy = this.waiting.get(output);
    if (!copy) return;
    this.waiting.delete(output);
    const writer = this.writerOf(output);
    const stays = (path: string) => !watches || this.writers.some((other) => other.writer !== writer && other.writer.has(path));
    await writeCopy(copy, writer, { has: stays });
  }

  private writerOf(output: OutputOptions): Writer {
    const identity = identityOf(output);
    const known = this.writers.find((other) => other.identity.every((value, i) => value === identity[i]));
    if (known) return known.writer;
    const writer = new Writer();
    this.writers.push({ identity, writer });
    return writer;
  }
}

/** The folder of an output. */
export const folderOf = ({ dir, file }: OutputOptions) => resolve(dir ?? (file ? dirname(file) : "."));
