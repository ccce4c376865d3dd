import type { Recording } from "../recording.js";
import { type SampleKind } from "../samples.js";
import { type Fn } from "./functions.js";
export interface Attributed {
    readonly functions: Fn[];
    /** The stacks: the index of the caller's (-1: none), which comes first, and that of the function. */
    readonly parents: number[];
    readonly owners: number[];
    /** In order of time; a stack is an index, -1 for none. */
    each(visit: (time: number, stack: number, kind: SampleKind, weight: number, skid: number) => void): void;
    readonly skids: number[];
    /** What was lost and why, for people. */
    readonly lost: Set<string>;
}
/** What must not show is left out or, on request, one function "unknown" for each run of such functions. */
export declare function attributed(recording: Recording, asUnknown?: boolean): Promise<Attributed>;
