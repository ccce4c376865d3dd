import type { RawRecording } from "./parts.js";
/** The pauses of the collector since this was made, in ms by performance.now(). */
export declare class Collections {
    private pauses;
    private observer;
    constructor();
    private add;
    /** Those of a program that never comes to rest are not told before it does. */
    known(): [start: number, end: number][];
    /**
     * Gives the collector the ticks of a recording that were due while it ran. A
     * sample that a check took for several ticks is split: so many of them as the
     * pause was long are the collector's.
     */
    mark(recording: RawRecording): void;
}
