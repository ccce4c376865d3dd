export type { Options, Profiler as MozillaProfiler } from "./mozilla/profiler.cjs";
export type { Child, EventSummary, Results, Sample } from "./mozilla/results.cjs";
export { Statistics, type Summary } from "./statistics.cjs";
export declare const Profiler: import("./mozilla/profiler.cjs").ProfilerClass;
