import { Statistics } from "../statistics.js";
import type { Engine } from "./engine.js";
import { type Results, type Sample } from "./results.js";
/** What to profile; start() looks at it. All but maxAge are on from the beginning. */
export interface Options {
    /** Data that is older is dropped, in seconds; 0 keeps all. */
    maxAge?: number;
    /** Sample the time. */
    time?: boolean;
    /** Take what event() tells. */
    events?: boolean;
    /** Tell the collector's time apart. */
    gc?: boolean;
}
export interface Profiler extends Required<Options> {
    start(rate?: number, max?: number): void;
    stop(): void;
    isProfiling(): boolean;
    frame(): Record<string, unknown>;
    event(name: string, value?: number): void;
    results(): Results;
    samples(): Sample[];
    reset(): void;
}
export interface ProfilerClass {
    new (options?: Options): Profiler;
    readonly prototype: Profiler;
    readonly Statistics: typeof Statistics;
    /** Loads the function tables of the scripts, which results() names functions by. */
    load(): Promise<void>;
    /** Tells an event to the profiler that is active, if one is. */
    event(name: string, value?: number): void;
}
export declare function makeProfiler(engine: Engine): ProfilerClass;
