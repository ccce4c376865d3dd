import { Recording } from "./recording.cjs";
import { type Session, type Settings } from "./samples.cjs";
/** Starts a recording of this realm. It never throws; what cannot be had is in its `lost`. */
export declare function record(settings: Settings): Recording;
/** The recording of a session. */
export declare function recordingOf(session: Session): Recording;
/** Looks after the clock from now on until nothing records. */
export declare function attend(): void;
