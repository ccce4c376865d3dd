import type { Frame, Stack } from "../recording.cjs";
import type { Functions } from "../trace/functions.cjs";
import type { Call } from "./engine.cjs";
export declare class Stacks {
    private readonly functions;
    readonly calls: Call[];
    private readonly ids;
    private readonly trie;
    constructor(functions: Functions);
    get parents(): readonly number[];
    get frames(): readonly number[];
    /** The index of a stack, without what must not show; -1 when that is all of it. */
    of(stack: Stack | null): number;
    private call;
    private describe;
}
/** Equal for frames that are equal, if not the same. */
export declare function keyOf({ url, line, column, name }: Frame): string;
