import type { ProfilerTrace } from "../parts.js";
import type { Recording } from "../recording.js";
/** The trace of a recording. Never rejects. */
export declare function traceOf(recording: Recording, asUnknown?: boolean): Promise<ProfilerTrace>;
