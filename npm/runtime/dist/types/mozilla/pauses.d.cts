export declare class Pauses {
    readonly windows: [number, number][];
    private observer;
    start(): void;
    /** Those so far, in order. */
    get(): [number, number][];
    /** Later: what is over may not have been told yet. */
    stop(): void;
    private add;
}
