/** Words of the board, by index: 32-bit integers first, then 64-bit floats. */
export declare const word: {
    /** Odd: run; even: pause; below 0: end. A new value means new orders. */
    readonly State: 0;
    /** 1 while a ping is under way to the realm. */
    readonly Ping: 1;
    /** How many ticks were raised. */
    readonly Raised: 2;
    /** Floats: the interval, when the first pending tick was due, missed deadlines. */
    readonly Interval: 2;
    readonly Due: 3;
    readonly Missed: 4;
    /** Where the ring of delays begins. */
    readonly Late: 5;
};
export declare class Board {
    readonly memory: SharedArrayBuffer;
    readonly words: Int32Array;
    readonly numbers: Float64Array;
    constructor(memory?: SharedArrayBuffer);
    get interval(): number;
    set interval(milliseconds: number);
    /** When the first pending tick was due, in milliseconds since 1970. */
    get due(): number;
    set due(time: number);
    /** Deadlines that passed while the coordinator could not run. */
    get missed(): number;
    set missed(deadlines: number);
    /** Notes how late a tick was. */
    late(tick: number, milliseconds: number): void;
    /** How late the last ticks were. */
    lates(): number[];
}
