// The options of the plugin.
import { divide, oneOf, text, type PluginOptions } from "../../plugin/options";

/** Options of the plugin; those of the command line have the same names. */
export interface FieldprofOptions extends PluginOptions {
  /**
   * Where checks go in: into what esbuild wrote or, for comparison with tools
   * that transpile, into each source before esbuild bundles it.
   * @default "output"
   */
  stage?: "output" | "source";
  /**
   * The `servedir` of `context.serve()`, if you serve: esbuild's server answers
   * from memory with the files from before plugins changed them, unless it is told
   * to look in another place.
   */
  servedir?: string;
}

const more = { stage: oneOf("output", "source"), servedir: text };

/** Divides the options into those of the service and those of the build; throws what is wrong with them. */
export const settle = (options: FieldprofOptions) => divide(options, more);

/** The options, checked. */
export type Settled = ReturnType<typeof settle>;
