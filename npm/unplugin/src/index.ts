// The plugin for bundlers other than esbuild. Each entry of the package is the plugin for
// one bundler.
import { createUnplugin, type UnpluginInstance } from "unplugin";
import type { PluginOptions } from "../../plugin/options";
import { forAssets } from "./assets";
import { forBundle } from "./bundle";
import { withDefault } from "./require";
import { settle } from "./settled";

/** Options of the plugin; those of the command line have the same names. */
export type FieldprofOptions = PluginOptions;

/** The plugin for all bundlers, by name. */
const fieldprof: UnpluginInstance<FieldprofOptions | undefined, false> = withDefault(createUnplugin<FieldprofOptions | undefined>((options = {}) => {
  const settled = settle(options);
  const bundle = forBundle(settled);
  const assets = forAssets(settled);
  return {
    name: "fieldprof",
    vite: bundle.vite,
    rollup: bundle.rollup,
    rolldown: bundle.rollup,
    webpack: assets,
    rspack: assets,
  };
}));

export default fieldprof;
/** @internal The value of require. */
export { fieldprof as "module.exports" };
