import { type Recorder } from "./core.js";
import type { Capture, Entry, SampleKind, Session, Settings, Source } from "./samples.js";
export declare class Tape {
    /** Where ticks come from now. */
    source: Source;
    private recorder;
    entries: Entry[];
    /** Reads the tape, once there is what can. */
    read?: () => void;
    /** Who does: the first copy of reader.ts that was loaded. */
    reader?: {
        attend(): void;
        recordingOf(session: Session): unknown;
    };
    sessions: readonly Session[];
    /** Of the ticks, in milliseconds; 0 while the clock stands. */
    interval: number;
    /** The page is hidden: no ticks. */
    paused: boolean;
    constructor(
    /** Where ticks come from now. */
    source: Source, recorder: Recorder);
    begin(settings: Settings): Session;
    end(session: Session): void;
    /** Runs the clock for those who record. */
    update(): void;
    add(time: number, due: number, ticks: number, kind: SampleKind, capture: Capture | null, missed?: number): void;
}
