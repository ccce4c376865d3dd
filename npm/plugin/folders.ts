// The folders of an output and of its profiled copy.
import { isAbsolute, relative, resolve, sep } from "node:path";

/**
 * The folder of the copy of an output: the one that the option names from a base, or one next to the output. Throws
 * if one of them holds the other: bundlers empty their folder, and a folder that is published must not have both.
 */
export function copyOf(output: string, given: string | undefined, base: string): string {
  const holdsAll = relative(base, output) === "" || below(output, base); // no bundler empties the folder of the sources
  const copy = resolve(base, given ?? output + "-profiled");
  if (copy === output) throw new Error('option "profiledOutdir" is the output folder: choose another');
  if (below(copy, output)) throw new Error('option "profiledOutdir" holds the output folder: choose one next to that');
  if (below(output, copy) && !holdsAll) throw new Error('option "profiledOutdir" is inside the output folder: choose one next to that');
  return copy;
}

/** Whether a path is in a folder. */
export function below(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(".." + sep) && !isAbsolute(way);
}
