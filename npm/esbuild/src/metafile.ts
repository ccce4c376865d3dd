// Keeps the metafile correct.
import type { Metafile } from "esbuild";
import { join, resolve } from "node:path";
import { isMoved, named, within, type Folders } from "./folders";

/** An output by its absolute path, and its size in bytes. */
export interface Sized {
  path: string;
  size: number;
}

/** The import of the runtime in each module, by path. */
export type Imports = ReadonlyMap<string, string>;

/**
 * Updates a metafile with the actual sizes, the outputs that came with the checks, and the
 * modules' imports of those. Inputs and their shares stay: checks belong to none.
 */
export function renew(metafile: Metafile, folders: Folders, files: readonly Sized[], imports: Imports): void {
  if (isMoved(folders)) moveBack(metafile, folders);
  for (const { path, size } of files) {
    const output = (metafile.outputs[named(folders, path, "metafile")] ??= { bytes: 0, inputs: {}, imports: [], exports: [] });
    output.bytes = size;
    const imported = imports.get(path);
    if (imported !== undefined) output.imports.unshift({ path: named(folders, imported, "metafile"), kind: "import-statement" });
  }
}

/** Renames outputs to their paths in the output folder. */
function moveBack(metafile: Metafile, folders: Folders): void {
  const back = (path: string) => {
    const inside = within(folders.built, resolve(folders.base, path));
    return inside === undefined ? path : named(folders, join(folders.root, inside), "metafile");
  };
  metafile.outputs = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [back(path), output]));
  for (const output of Object.values(metafile.outputs)) {
    for (const imported of output.imports) imported.path = back(imported.path);
    if (output.cssBundle) output.cssBundle = back(output.cssBundle);
  }
}
