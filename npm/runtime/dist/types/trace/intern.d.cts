import type { Frame, Stack } from "../recording.cjs";
/** What a line of a stack says. Lines and columns count from 1; 0: unknown. */
export interface Place {
    url: string;
    line: number;
    column: number;
    name: string;
}
/** A frame, and where its function begins if the engine says so (V8); 0: unknown. */
export declare class KnownFrame implements Frame {
    readonly url: string;
    readonly line: number;
    readonly column: number;
    readonly name: string;
    readonly startLine: number;
    readonly startColumn: number;
    constructor(url: string, line: number, column: number, name: string, startLine?: number, startColumn?: number);
}
/**
 * The tables. When they are full a new generation begins: what captures hold
 * stays theirs, the rest is garbage, and memory stays bounded.
 */
export declare class Tables {
    private frames;
    private roots;
    private nodes;
    private text;
    /** Frames by script and position, for V8: null for what is no script's. */
    sites: Map<string, Map<number, KnownFrame | null>>;
    /** Frames by line, and stacks by their whole text, for the others. */
    lines: Map<string, KnownFrame | null>;
    stacks: Map<string, Stack | null>;
    /** Begins a new generation of what is full. Not between two calls for one stack. */
    renew(): void;
    /** Makes room in the account of remembered texts. */
    remember(text: string): void;
    frame(place: Place, startLine?: number, startColumn?: number): KnownFrame;
    /** The stack of frames, given innermost first; null for none. */
    stack(frames: readonly Frame[]): Stack | null;
    private child;
}
