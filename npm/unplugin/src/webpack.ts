import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";

/** Puts checks into what webpack builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["webpack"] = fieldprof.webpack;

export default plugin;
export type { FieldprofOptions };
