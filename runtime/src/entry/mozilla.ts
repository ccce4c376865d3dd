// Mozilla's Profiler for pages and Node, a module of its own with everything it needs:
// docs/mozilla.md.
import { setLoader, type Parts } from "../recording/parts";
import { makeProfiler } from "../mozilla/class";
import { engine } from "../mozilla/realm";
import * as trace from "./trace";
import { readFrom } from "../trace/disk";
import { readTablesBy } from "../trace/tables";

export type { Options, Profiler as MozillaProfiler } from "../mozilla/class";
export type { Child, EventSummary, Results, Sample } from "../mozilla/results";
export { Statistics, type Summary } from "../mozilla/statistics";

const files = globalThis.process?.getBuiltinModule?.("fs/promises");
if (files) readTablesBy(readFrom(files));
setLoader(async (): Promise<Parts> => trace);

export const Profiler = makeProfiler(engine);
