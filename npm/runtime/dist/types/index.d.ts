import "./core.js";
export { install, type InstallOptions } from "./install.js";
export { loadParts, type Parts, type ProfilerSample, type ProfilerTrace, type RawRecording } from "./parts.js";
export { Profiler, type ProfilerInitOptions } from "./profiler.js";
export type { Account, Frame, Recording, Stack, Visit } from "./recording.js";
export type { SampleKind, Settings } from "./samples.js";
