// The npm package, for code that bundles the runtime itself.
import "../core/flag";
import { setLoader } from "../recording/parts";

setLoader(() => import("./trace"));

export { install, type InstallOptions } from "../api/install";
export { loadParts, type Parts, type ProfilerSample, type ProfilerTrace, type RawRecording } from "../recording/parts";
export { Profiler, type ProfilerInitOptions } from "../api/profiler";
export type { Account, Recording, Visit } from "../recording/recording";
export type { Frame, Stack } from "../stacks/stack";
export type { SampleKind } from "../core/kinds";
export type { Settings } from "../recording/sessions";
