// Which outputs give a page its Profiler. esbuild writes no pages, so the pages that load
// its output have no script tag for the runtime: their first scripts carry it.
import type { BuildOptions, Metafile } from "esbuild";
import type { TreeFile } from "fieldprof";
import { join } from "node:path";
import { named, type Folders } from "./folders";

/** Whether only the metafile distinguishes entries from shared chunks. */
export function entriesNeedMetafile(initial: BuildOptions): boolean {
  return forPages(initial) && initial.splitting === true;
}

/** Whether the output is for browsers, in scripts that a page can load first. */
function forPages({ platform = "browser", format, bundle }: BuildOptions): boolean {
  return platform === "browser" && (format === "iife" || format === "esm" || (format === undefined && bundle === true));
}

/** Globs for the scripts that carry the runtime, one for each. */
export function carriers(initial: BuildOptions, tree: readonly TreeFile[], metafile: Metafile | undefined, folders: Folders): string[] {
  if (!forPages(initial)) return [];
  const extension = initial.outExtension?.[".js"] ?? ".js";
  const outputs = entriesNeedMetafile(initial) ? metafile?.outputs : undefined;
  return tree
    .filter(({ path }) => path.endsWith(extension) && (!outputs || outputs[named(folders, join(folders.built, path), "metafile")]?.entryPoint !== undefined))
    .map(({ path }) => "/" + path.replace(/[\\*?[\]{}]/g, "\\$&"));
}
