// The esbuild plugin. It works after bundling: see output.ts. For comparison
// there is a stage before it: see source.ts.
import type { Plugin } from "esbuild";
import { divide, oneOf, text, type PluginOptions } from "../../plugin/options";
import { messageOf } from "../../plugin/session";
import { atOutput } from "./output";
import { atSource } from "./source";

/** Options of the plugin; those of the command line have its names. */
export interface FieldprofOptions extends PluginOptions {
  /**
   * Where checks go in: into what esbuild wrote, or, for comparison with tools
   * that transpile, into each source before esbuild bundles it.
   * @default "output"
   */
  stage?: "output" | "source";
  /**
   * The `servedir` of `context.serve()`, if you serve: esbuild's server answers
   * from memory what was there before plugins changed it, unless it is told to
   * look in another place.
   */
  servedir?: string;
}

const more = { stage: oneOf("output", "source"), servedir: text };

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
        const divided = divide(options, more);
        await (divided.build.stage === "source" ? atSource : atOutput)(build, divided);
      } catch (error) {
        // Thrown, it would be shown with a place in esbuild.
        build.onStart(() => ({ errors: [{ text: messageOf(error), detail: error }] }));
      }
    },
  };
}

export type { Plugin };
