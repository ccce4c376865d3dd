// The esbuild plugin. It works after bundling (output.ts) or, for comparison,
// before it (source.ts).
import type { Plugin } from "esbuild";
import { messageOf } from "../../plugin/session";
import { settle, type FieldprofOptions } from "./options";
import { atOutput } from "./output";
import { atSource } from "./source";

/**
 * Puts checks into what esbuild writes.
 *
 * ```js
 * import fieldprof from "@fieldprof/esbuild";
 * await build({ entryPoints: ["app.ts"], bundle: true, outdir: "dist", plugins: [fieldprof({ preset: "fine" })] });
 * ```
 */
export default function fieldprof(options: FieldprofOptions = {}): Plugin {
  return {
    name: "fieldprof",
    async setup(build) {
      try {
        const settled = settle(options);
        await (settled.build.stage === "source" ? atSource : atOutput)(build, settled);
      } catch (error) {
        // Thrown, it would be shown with a place in esbuild.
        build.onStart(() => ({ errors: [{ text: messageOf(error), detail: error }] }));
      }
    },
  };
}

export type { FieldprofOptions, Plugin };
