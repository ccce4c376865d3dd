import type { UnpluginInstance } from "unplugin";
import fieldprof, { type FieldprofOptions } from "./index";
import { withDefault } from "./require";

/** Puts checks into what Rolldown builds. */
const plugin: UnpluginInstance<FieldprofOptions | undefined, false>["rolldown"] = withDefault(fieldprof.rolldown);

export default plugin;
/** @internal The value of require. */
export { plugin as "module.exports" };
export type { FieldprofOptions };
