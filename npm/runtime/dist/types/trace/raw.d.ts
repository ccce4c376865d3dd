import type { RawRecording } from "../parts.js";
import type { Recording } from "../recording.js";
export declare function raw(recording: Recording): RawRecording;
