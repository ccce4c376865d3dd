import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";

/** Puts checks into what Vite builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["vite"] = fieldprof.vite;

export default plugin;
export type { FieldprofOptions };
