import type { Frame, Stack } from "../recording.js";
export declare class Trie {
    private readonly callerOf;
    /** The index of a frame's owner, told its caller's (-1: none); -1 for what must not show. */
    private readonly ownerOf;
    /** Of each stack: the index of its caller's, -1 for none, and that of its owner. */
    readonly parents: number[];
    readonly owners: number[];
    private readonly known;
    private readonly children;
    constructor(callerOf: (stack: Stack) => Stack | null, 
    /** The index of a frame's owner, told its caller's (-1: none); -1 for what must not show. */
    ownerOf: (frame: Frame, caller: number) => number);
    /** The index of a stack without what must not show; -1 when that is all of it. */
    of(stack: Stack | null): number;
    private child;
}
