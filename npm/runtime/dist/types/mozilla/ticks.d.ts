import { type Report } from "./engine.js";
/** Ticks of one sample that count. */
export interface Tick {
    time: number;
    weight: number;
    kind: number;
    stack: number;
}
/** Times from and to, in order. */
export type Windows = [number, number][];
/** What bounds the ticks. */
export interface Bounds {
    from: number;
    interval: number;
    max: number;
    own: Windows;
}
/**
 * Takes away what is not the program's. The first tick of a sample was due its
 * skid before it was taken; the others are taken to have come evenly since. One
 * that was due while the collector ran is the collector's. There are never more
 * ticks than whole intervals have passed: the clock keeps the rate on average
 * alone.
 */
export declare function count(report: Report, bounds: Bounds): Tick[];
