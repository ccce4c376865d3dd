// esbuild refuses to write an output in the place of a source. It does not look for that where the plugin writes
// instead, or where its output folder is moved, so the plugin does; and it looks at what comes with the checks, too.
import type { BuildOptions, Metafile, PartialMessage } from "esbuild";
import { resolve } from "node:path";
import type { Output } from "../../plugin/writer";
import { isMoved, named, within, type Folders } from "./folders";

/**
 * Whether a build whose outputs are written may overwrite its sources. For a server's it is no reason that esbuild may:
 * without the plugin that would write nothing.
 */
export const mayOverwrite = ({ allowOverwrite }: BuildOptions, folders: Folders) => allowOverwrite === true && !isMoved(folders);

/** The sources of a build, by absolute path. */
export function sourcesOf(metafile: Metafile | undefined, { base }: Folders): ReadonlySet<string> {
  return new Set(Object.keys(metafile?.inputs ?? {}).map((path) => resolve(base, path)));
}

/** Whether outputs with checks could be in the place of sources. */
export function endangered(sources: ReadonlySet<string>, { profiled }: Folders): boolean {
  return [...sources].some((path) => within(profiled, path) !== undefined);
}

/** Errors for outputs in the place of sources. */
export function overwritten(outputs: readonly Output[], sources: ReadonlySet<string>, folders: Folders): PartialMessage[] {
  const advice = isMoved(folders) ? ": to be served with checks, outputs are written, so choose another \"outdir\"" : " (use \"allowOverwrite: true\" to allow this)";
  return outputs
    .filter(({ path }) => sources.has(path))
    .map(({ path }) => ({ text: `Refusing to overwrite input file ${JSON.stringify(named(folders, path, "log"))}${advice}` }));
}
