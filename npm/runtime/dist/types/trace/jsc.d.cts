import { type Grammar } from "./place.cjs";
export declare const jsc: Grammar;
