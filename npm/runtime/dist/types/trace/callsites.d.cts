import type { KnownFrame, Tables } from "./intern.cjs";
/** A frame as V8 gives it. The last two are not in every version. */
export interface CallSite {
    getScriptNameOrSourceURL(): string | null | undefined;
    getLineNumber(): number | null;
    getColumnNumber(): number | null;
    getFunctionName(): string | null;
    getEvalOrigin(): string | undefined;
    isEval(): boolean;
    isAsync?(): boolean;
    getEnclosingLineNumber?(): number | null;
    getEnclosingColumnNumber?(): number | null;
}
/**
 * Runs a function with what reads an error's frames: the call sites, the text
 * where V8 knows no hook, or undefined where reading would run the page's own.
 */
export declare function reading(first: Error, run: (read: (error: Error) => CallSite[] | string | undefined) => void): void;
/** Where the call sites of asynchronous parents begin: those only wait. */
export declare function runningEnd(sites: readonly CallSite[]): number;
/**
 * The frame of a call site; null for code that is no script's. It is looked up
 * by line and column, not by the cheaper getPosition(): inline scripts of a page
 * have one URL, and each its own offsets.
 */
export declare function frameOf(site: CallSite, tables: Tables): KnownFrame | null;
