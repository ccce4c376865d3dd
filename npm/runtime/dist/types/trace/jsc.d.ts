import { type Grammar } from "./place.js";
export declare const jsc: Grammar;
