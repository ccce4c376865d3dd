import { type Grammar } from "./place.cjs";
/** What begins a place behind `@`; names and URLs may hold one, too. */
export declare const place: RegExp;
export declare const spidermonkey: Grammar;
/** Where the @ behind the name stands; -1 for none. */
export declare function nameEnd(line: string): number;
