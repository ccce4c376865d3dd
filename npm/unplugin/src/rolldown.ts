import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";

/** Puts checks into what Rolldown builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["rolldown"] = fieldprof.rolldown;

export default plugin;
export type { FieldprofOptions };
