import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";
import { withDefault } from "./require";

/** Puts checks into what Rspack builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["rspack"] = withDefault(fieldprof.rspack);

export default plugin;
/** @internal The value of require. */
export { plugin as "module.exports" };
export type { FieldprofOptions };
