import { type ProfilerTrace } from "./parts.js";
export interface ProfileOptions {
    /** Milliseconds between samples; rounded up to a multiple of 10. */
    sampleInterval: number;
    /** Samples that are kept; required with categories. */
    maxBufferSize?: number;
    /** What frames are traced: "js". */
    categories?: readonly string[];
}
/** Version 1 of the proposal's trace. Ids are the keys of stackFrames. */
export interface TraceVersion1 {
    version: 1;
    options: ProfileOptions;
    profile: {
        /** Functions, as "name @ file:line:column"; "unknown" for those that may not be seen. */
        strings: string[];
        stackFrames: Record<number, {
            name: number;
            parent?: number;
        }>;
        /** A sample while nothing ran has no stack. */
        "main-thread": {
            type: "stack";
            timestamp: number;
            stack?: number;
        }[];
    };
}
/** What performance.profile gives. */
export declare class PerformanceProfiler extends EventTarget {
    /** What is in force: sampleInterval is the true one. */
    readonly options: Readonly<ProfileOptions & {
        maxBufferSize: number;
    }>;
    /** Called when a sample does not fit. */
    onsamplebufferfull: ((event: Event) => unknown) | null;
    private readonly session;
    private trace;
    constructor(options: ProfileOptions);
    /** Ends profiling, once, and gives the trace. */
    stop(): Promise<TraceVersion1 | ProfilerTrace>;
    private full;
    private finish;
}
/** Starts a profiler; rejects what it is asked for in vain. */
export declare function profile(options: ProfileOptions): Promise<PerformanceProfiler>;
declare global {
    interface Performance {
        profile?: typeof profile;
    }
}
/** Gives the page performance.profile, unless it has one. */
export declare function install(): void;
