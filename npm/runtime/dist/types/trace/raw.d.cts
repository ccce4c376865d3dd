import type { RawRecording } from "../parts.cjs";
import type { Recording } from "../recording.cjs";
export declare function raw(recording: Recording): RawRecording;
