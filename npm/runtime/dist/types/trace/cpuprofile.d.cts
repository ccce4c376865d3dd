import type { Recording } from "../recording.cjs";
/** The profile, as an object for JSON. */
export declare function cpuprofile(recording: Recording): Promise<object>;
