import { type Engine } from "./engine.cjs";
export declare const engine: Engine;
