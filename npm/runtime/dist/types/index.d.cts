import "./core.cjs";
export { install, type InstallOptions } from "./install.cjs";
export { loadParts, type Parts, type ProfilerSample, type ProfilerTrace, type RawRecording } from "./parts.cjs";
export { Profiler, type ProfilerInitOptions } from "./profiler.cjs";
export type { Account, Frame, Recording, Stack, Visit } from "./recording.cjs";
export type { SampleKind, Settings } from "./samples.cjs";
