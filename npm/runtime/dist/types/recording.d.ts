import { type Capture, type Entry, type SampleKind, type Session } from "./samples.js";
/**
 * A frame as the engine wrote it. Line and column count from 1 (0: unknown),
 * columns in UTF-16 units. Interned: one object for each distinct frame.
 */
export interface Frame {
    readonly url: string;
    readonly line: number;
    readonly column: number;
    readonly name: string;
}
/** A stack: its innermost frame, and the stack of its caller. Interned. */
export interface Stack {
    readonly frame: Frame;
    readonly parent: Stack | null;
}
/** What became of the ticks: raised = taken + idle + program. */
export interface Account {
    raised: number;
    /** Deadlines that raised none: the coordinator could not run. */
    missed: number;
    /** Taken by checks. */
    taken: number;
    /** Raised while nothing ran. */
    idle: number;
    /** Raised while something ran that reached no check. */
    program: number;
    /** Of the raised ones: those without a sample, since the limit was reached. */
    lost: number;
}
/** Hears of a sample; ticks is its weight, skid the milliseconds since the first of them was due. */
export type Visit = (time: number, capture: Capture<Stack> | null, kind: SampleKind, ticks: number, skid: number) => void;
/** Times are in milliseconds, by performance.now(). */
export declare class Recording {
    private session;
    private tape;
    /** Where ticks come from: shared memory, or checks that poll. */
    clock: "shared" | "poll";
    /** How late the coordinator was, for recent ticks. */
    late: number[];
    private sums;
    /** What was lost and why, for people. */
    readonly lost: Set<string>;
    private times;
    private captures;
    private kinds;
    private weights;
    private skids;
    private head;
    private kept;
    private owed;
    private owedMissed;
    private isFull;
    constructor(session: Session, tape: {
        end(session: Session): void;
        read(): void;
    });
    get interval(): number;
    get limit(): number;
    get seed(): number;
    get started(): number;
    /** NaN while it runs. */
    get ended(): number;
    get account(): Account;
    /** How many samples there are. */
    get length(): number;
    /** Ends the recording; its samples stay. */
    stop(): void;
    /** Adds what an entry of the tape holds: with a longer interval than the tape's, every so many ticks. */
    take(entry: Entry): void;
    private add;
    private fill;
    /** Visits the samples in order of time. */
    each(visit: Visit): void;
    /** Gives another kind, and no stack, to the samples whose first tick was due when `fell` says so. */
    remark(kind: SampleKind, fell: (due: number) => boolean): void;
    /** Drops the samples from before a time. */
    dropBefore(time: number): void;
    /** Forgets all samples, and goes on. */
    clear(): void;
    private forget;
}
