import type { Recording } from "../recording.js";
/** The profile, as an object for JSON. */
export declare function cpuprofile(recording: Recording): Promise<object>;
