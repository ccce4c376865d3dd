// The npm package: what code that is built with its own bundler imports.
import "../core/flag";
import { setLoader } from "../recording/parts";

setLoader(() => import("./trace"));

export { install, type InstallOptions } from "../api/install";
export { loadParts, type Parts, type ProfilerSample, type ProfilerTrace, type RawRecording } from "../recording/parts";
export { Profiler, type ProfilerInitOptions } from "../api/profiler";
export type { Account, Frame, Recording, Stack, Visit } from "../recording/recording";
export type { SampleKind, Settings } from "../recording/samples";
