/** What statistics come to, as JSON.stringify writes them. Only the count is there when it is 0. */
export interface Summary {
    count: number;
    sum?: number;
    min?: number;
    max?: number;
    average?: number;
    variance?: number;
    p50?: number;
    p90?: number;
    p95?: number;
    p99?: number;
}
export declare class Statistics {
    /** Numbers so far. */
    count: number;
    sum: number;
    /** Undefined while there are none. */
    min: number | undefined;
    max: number | undefined;
    private mean;
    private squares;
    private level;
    private zeros;
    private above;
    private below;
    /** Takes a number; what is no finite number is left out. */
    insert(value: number): void;
    /** Takes all that others have taken. */
    merge(other: Statistics): void;
    get average(): number | undefined;
    /** Of all numbers (the sum of squares over their count). */
    get variance(): number | undefined;
    /**
     * How far a percentile may be from the true one, as a part of it: 0.01, and
     * more only where the numbers are so far apart that the buckets ran out.
     */
    get error(): number;
    /** The value below which p percent of the numbers lie, 0 to 100. */
    percentile(p: number): number | undefined;
    toJSON(): Summary;
    /** The width of a bucket, as a logarithm. */
    private get width();
    /** Joins buckets, 2^levels at a time. */
    private join;
    private bound;
}
