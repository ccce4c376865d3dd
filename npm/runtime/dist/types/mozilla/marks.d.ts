import type { Here } from "./engine.js";
import type { Attached } from "./results.js";
export declare class Marks {
    private readonly marks;
    /** The object of a stack: the same one for the same stack. */
    frame(here: Here | null, now: number): object;
    event(here: Here | null, now: number, name: string, value?: number): void;
    clear(): void;
    /** Forgets those that were touched before a time, by the engine's now. */
    forget(before: number): void;
    get tokens(): unknown[];
    /** In the order of the tokens. */
    get attached(): Attached[];
    private at;
}
