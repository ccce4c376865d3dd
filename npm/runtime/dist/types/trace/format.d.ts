import type { Stack } from "../recording.js";
import type { Capture } from "../samples.js";
import type { Grammar } from "./place.js";
/** How stacks were read so far. */
export declare const reader: {
    /** Whether this is JavaScriptCore, which has two frames for a running async function. */
    isJSC: boolean;
    /** Stacks that could not be read without calling the page's prepareStackTrace. */
    refused: number;
};
/**
 * Formats the captures in their order, until all are or `until` says stop: the
 * first always is. Never throws.
 */
export declare function format(captures: readonly (Capture<Stack> | null)[], until?: () => boolean): void;
/** Whose stack this is: V8's lines begin with `at`, Firefox's Errors know their file, Safari's their line. */
export declare function grammarOf(text: string, error: Error): Grammar;
