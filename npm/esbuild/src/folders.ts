// The folders of a build's output.
import type { BuildOptions } from "esbuild";
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { below, copyOf } from "../../plugin/folders";
import type { Settled } from "./options";

/** Absolute folders. */
export interface Folders {
  /** The folder to which paths in esbuild's messages and metafile are relative, if they are not absolute. */
  base: string;
  /** The output folder that the user chose. */
  root: string;
  /** Where esbuild believes that it writes: root, except with a server. */
  built: string;
  /** Where the profiled output goes: root, unless there are both variants. */
  profiled: string;
  /** Where esbuild gives absolute paths. */
  absolute: readonly string[];
  warnings: string[];
}

/**
 * Finds the folders of a build's output; undefined where there is none, as for a
 * build to standard output. A build that is served moves esbuild's own output
 * folder aside.
 */
export function foldersOf(initial: BuildOptions, { build }: Settled): Folders | undefined {
  const base = baseOf(initial);
  const outdir = initial.outdir ?? (initial.outfile && dirname(initial.outfile));
  if (outdir === undefined) return undefined;
  const root = resolve(base, outdir);
  const profiled = build.variant === "both" ? copyOf(root, build.profiledOutdir, base) : root;
  const folders: Folders = { base, root, built: root, profiled, absolute: initial.absPaths ?? [], warnings: [] };
  if (build.servedir) moveAside(folders, initial, resolve(base, build.servedir));
  return folders;
}

/**
 * The working directory of a build without symbolic links: esbuild resolves those in it, or goes on with the path
 * as it is, and so do the paths of sources and outputs.
 */
export function baseOf({ absWorkingDir = "" }: BuildOptions): string {
  const base = resolve(absWorkingDir);
  try {
    return realpathSync(base);
  } catch {
    return base;
  }
}

/**
 * esbuild's server prefers the files of the build from before onEnd, and looks on the disk
 * only for others. So esbuild builds into a folder next to the real one, which no request
 * names; at the same depth, so that relative paths in the output stay the same.
 */
function moveAside(folders: Folders, initial: BuildOptions, servedir: string): void {
  if (initial.outdir === undefined || !below(servedir, folders.root)) {
    folders.warnings.push(`esbuild's server will answer without checks: it can be told to look on the disk only for an "outdir" inside the folder that it serves (servedir), such as ${join(basename(servedir), "js")}`);
    return;
  }
  folders.built = join(dirname(folders.root), `.${basename(folders.root)}.fieldprof`);
  initial.outdir = folders.built;
}

/** Whether esbuild believes that it writes elsewhere. */
export const isMoved = ({ built, root }: Folders) => built !== root;

/** The path from a folder, with slashes, as deployed; undefined if it leads out of it. */
export function within(folder: string, path: string): string | undefined {
  return below(folder, path) ? slashed(relative(folder, path)) : undefined;
}

/** The name that esbuild gives a file in messages ("log") or in the metafile. */
export function named({ base, absolute }: Folders, path: string, place: "log" | "metafile"): string {
  return absolute.includes(place) ? path : slashed(relative(base, path));
}

const slashed = (path: string) => (sep === "/" ? path : path.replaceAll(sep, "/"));
