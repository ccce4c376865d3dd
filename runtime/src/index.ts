// The npm package: what code that is built with its own bundler imports.
import "./core";
import { setLoader } from "./parts";

setLoader(() => import("./trace"));

export { install, type InstallOptions } from "./install";
export { loadParts, type Parts, type ProfilerSample, type ProfilerTrace, type RawRecording } from "./parts";
export { Profiler, type ProfilerInitOptions } from "./profiler";
export type { Account, Frame, Recording, Stack, Visit } from "./recording";
export type { SampleKind, Settings } from "./samples";
