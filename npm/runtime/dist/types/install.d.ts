import type { Settings } from "./samples.js";
export interface InstallOptions {
    /** Where the browser has a Profiler of its own: that one, if the document may use it, or ours always. */
    prefer?: "native" | "polyfill";
    /** Milliseconds: sample intervals are multiples of it. Chromium's is 10. */
    base?: number;
    clock?: Settings["clock"];
}
/** Makes Profiler what the options ask for. A global object that takes none is left alone. */
export declare function install({ prefer, base, clock }?: InstallOptions): void;
/**
 * What runtime.js and module.js do when they are loaded. Package runtime
 * (Configure) writes what the deployer chose in place of the string.
 */
export declare function atLoad(): void;
