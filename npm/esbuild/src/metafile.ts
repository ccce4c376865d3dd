// Keeps the metafile true.
import type { Metafile } from "esbuild";
import { named, type Place } from "./place";

/** An output by its absolute path, and its size in bytes. */
export interface Sized {
  path: string;
  size: number;
}

/** What modules import of the runtime, by their paths. */
export type Imports = ReadonlyMap<string, string>;

/**
 * Gives a metafile the sizes of what is there now, the outputs that came with the
 * checks, and what modules import of those. Its parts (inputs and their shares)
 * stay: checks belong to none.
 */
export function renew(metafile: Metafile, place: Place, files: readonly Sized[], imports: Imports): void {
  if (place.built !== place.root) moveBack(metafile, place);
  for (const { path, size } of files) {
    const output = (metafile.outputs[named(place, path)] ??= { bytes: 0, inputs: {}, imports: [], exports: [] });
    output.bytes = size;
    const imported = imports.get(path);
    if (imported !== undefined) output.imports.unshift({ path: named(place, imported), kind: "import-statement" });
  }
}

/** Outputs get the names that they have in the output folder. */
function moveBack(metafile: Metafile, place: Place): void {
  const [from, to] = [named(place, place.built) + "/", named(place, place.root) + "/"];
  const back = (path: string) => (path.startsWith(from) ? to + path.slice(from.length) : path);
  metafile.outputs = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [back(path), output]));
  for (const output of Object.values(metafile.outputs)) {
    for (const imported of output.imports) imported.path = back(imported.path);
    if (output.cssBundle) output.cssBundle = back(output.cssBundle);
  }
}
