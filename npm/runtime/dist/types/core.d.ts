import type { Tape } from "./tape.js";
/**
 * Where a check stands: entry 0, loop 1, exit 2; in a function that calls
 * nothing entry is 3 and exit 5.
 */
export type Kind = 0 | 1 | 2 | 3 | 5;
/**
 * What turns pending ticks into a sample. It is called from inside the code
 * that is profiled, never while it is still running, and may throw. The third
 * argument is how many calls it is further from that code than usual.
 *
 * One that polls a clock leaves the flag up again, and so sees every check, or
 * only each so many (left).
 */
export type Recorder = (kind: Kind, ticks: number, deeper: number) => void;
/** What a realm keeps as `globalThis.__fieldprof`. */
export interface Checks {
    /** Later versions keep every name of the earlier ones. */
    readonly version: number;
    /** Word 0: pending ticks. Word 1: what checks write back (see transform/checks.go). */
    readonly flag: Int32Array;
    /** Null when nothing profiles: ticks are then dropped. */
    recorder: Recorder | null;
    /** Set by the first script that can record (sampler.ts). */
    tape?: Tape;
    /** Set by who sends (send/sender.ts) while the page may be gone any moment: traces wait for nothing then. */
    hurry?: boolean;
    /** Takes the pending ticks and hands them to the recorder. */
    capture(kind: Kind, deeper?: number): void;
    /** Of each kind of check, how many until the recorder sees one. */
    readonly left: Int32Array;
    /** Checks as calls, for the compact form. */
    entry(): void;
    loop(): void;
    exit<T>(value: T): T;
}
declare global {
    var __fieldprof: Checks | undefined;
}
export declare const checks: Checks;
