import { type Grammar } from "./place.js";
export declare const v8: Grammar;
/** The script in which, around any nested one, the first eval stands: of `eval at f (url:1:2)`. */
export declare function evalBase(origin: string): string;
