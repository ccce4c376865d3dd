import { type ProfilerTrace } from "./parts.js";
import type { Settings } from "./samples.js";
export interface ProfilerInitOptions {
    /** Milliseconds between samples, rounded up to a multiple of the base. */
    sampleInterval: number;
    /** Samples that are kept. */
    maxBufferSize: number;
}
/** What profilers to come are made with. */
export declare const defaults: {
    base: number;
    clock?: Settings["clock"];
};
export declare const Profiler: {
    new (options: ProfilerInitOptions): {
        get sampleInterval(): number;
        get stopped(): boolean;
        stop(): Promise<ProfilerTrace>;
        addEventListener(type: string, callback: EventListenerOrEventListenerObject | null, options?: AddEventListenerOptions | boolean): void;
        dispatchEvent(event: Event): boolean;
        removeEventListener(type: string, callback: EventListenerOrEventListenerObject | null, options?: EventListenerOptions | boolean): void;
    };
};
/** What a page calls a Profiler. */
export type Profiler = InstanceType<typeof Profiler>;
