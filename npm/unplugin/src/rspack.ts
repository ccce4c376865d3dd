import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";

/** Puts checks into what Rspack builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["rspack"] = fieldprof.rspack;

export default plugin;
export type { FieldprofOptions };
