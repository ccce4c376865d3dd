export type { Options, Profiler as MozillaProfiler } from "./mozilla/profiler.js";
export type { Child, EventSummary, Results, Sample } from "./mozilla/results.js";
export { Statistics, type Summary } from "./statistics.js";
export declare const Profiler: import("./mozilla/profiler.js").ProfilerClass;
