/** Deadlines in milliseconds, on the time line of whoever asks. */
export declare class Clock {
    readonly interval: number;
    private state;
    deadline: number;
    /** Interval in milliseconds; the seed is a whole number. */
    constructor(interval: number, state: number);
    begin(now: number): void;
    /** Moves on to the next deadline behind now. Returns how many have passed. */
    pass(now: number): number;
    private gap;
    /** A number from 0 up to 1: an additive sequence, of which the low 32 bits are mixed. */
    private random;
}
