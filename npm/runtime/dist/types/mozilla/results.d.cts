import type { Summary } from "../statistics.cjs";
import { type Call, type Report } from "./engine.cjs";
import type { Tick } from "./ticks.cjs";
/** What an event came to at one stack; all but the count where values were given. */
export type EventSummary = Summary;
/** A frame and its callees. */
export interface Child extends Call {
    /** What frame() gave out for this very stack. */
    data?: object;
    /** By name. */
    events?: Record<string, EventSummary>;
    /** Ticks with the frame on the stack: selfCount and those of the children. */
    samples?: number;
    /** Ticks with it on top. */
    selfCount?: number;
    children?: Child[];
}
export interface Results {
    /** Ticks that found a stack: those of the children. */
    samples: number;
    /** Ticks that fell into a pause of the collector. */
    gcSamples: number;
    /** Ticks for which nothing ran, and for which nothing with checks did. */
    idleSamples?: number;
    programSamples?: number;
    /** How long the profiler ran, in microseconds. */
    micros: number;
    /** Events that no stack can be told of. */
    events?: Record<string, EventSummary>;
    children: Child[];
}
export interface Sample {
    /** When it was taken, in microseconds since the profiler was started first. */
    micros: number;
    /** Ticks that were deferred to it, itself included. */
    weight: number;
    /** Innermost frame first. Samples of one stack share it. */
    stack: Call[];
}
/** What frame() and event() attached to a stack. */
export interface Attached {
    data?: object;
    events?: Record<string, EventSummary>;
}
export declare function makeResults(report: Report, ticks: Tick[], attached: Attached[], micros: number): Results;
export declare function makeSamples(report: Report, ticks: Tick[], started: number): Sample[];
