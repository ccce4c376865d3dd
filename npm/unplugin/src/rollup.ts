import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";

/** Puts checks into what Rollup builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["rollup"] = fieldprof.rollup;

export default plugin;
export type { FieldprofOptions };
