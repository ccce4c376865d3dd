import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";
import { withDefault } from "./require";

/** Puts checks into what Vite builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["vite"] = withDefault(fieldprof.vite);

export default plugin;
/** @internal The value of require. */
export { plugin as "module.exports" };
export type { FieldprofOptions };
