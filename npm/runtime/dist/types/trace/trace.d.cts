import type { ProfilerTrace } from "../parts.cjs";
import type { Recording } from "../recording.cjs";
/** The trace of a recording. Never rejects. */
export declare function traceOf(recording: Recording, asUnknown?: boolean): Promise<ProfilerTrace>;
