import type { Frame, Stack } from "../recording.cjs";
import type { Flags } from "./attribute.cjs";
import { type Origins } from "./origins.cjs";
import type { Table } from "./table.cjs";
/** A function, as traces speak of it. */
export interface Fn extends Flags {
    readonly name: string;
    readonly url: string;
    /** Where it is defined in the deployed file; without a table, where it begins or was first seen. 0: unknown. */
    readonly line: number;
    readonly column: number;
    /** Whether traces may speak of it. */
    readonly shown: boolean;
    /** Its table, and its place there. */
    readonly table: Table | null;
    readonly index: number;
}
export declare class Functions {
    private readonly tables;
    private readonly origins;
    private readonly isJSC;
    private readonly byFrame;
    private readonly byKey;
    constructor(tables: ReadonlyMap<string, Table>, origins: Origins, isJSC: boolean);
    of(frame: Frame): Fn;
    private find;
    /**
     * The caller's stack. JavaScriptCore runs an async function in two frames, its
     * body and what was called, and puts the latter at the function's end.
     */
    callerOf(stack: Stack): Stack | null;
    private wraps;
}
