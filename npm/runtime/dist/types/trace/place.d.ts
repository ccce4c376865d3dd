import type { Place } from "./intern.js";
/** A line of a stack: a frame; null for code that is no script's; "async" where what follows only waits. */
export type Line = Place | null | "async";
/** An engine's way to write stacks. */
export interface Grammar {
    /** The lines of a stack, innermost first, without a message before them. */
    lines(stack: string, error: Error): string[];
    read(line: string): Line;
}
/** What stands behind the URL of the code around it, for code that eval and its like made. */
export declare const evaluated = " > eval";
/** Splits `url:line:column`. Without a position, or without a URL, it is null. The URL is as the engine wrote it. */
export declare function split(text: string): Place | null;
/** A URL as frames have it: without a fragment, which only some engines keep, and of bounded length. */
export declare function written(url: string): string;
/** Whether a URL is of the engine's or host's own code, whose time is its caller's. */
export declare function isHost(url: string): boolean;
