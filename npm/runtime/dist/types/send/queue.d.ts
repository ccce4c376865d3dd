import type { Letter } from "./envelope.js";
import type { Outcome } from "./transport.js";
export interface Ways {
    /** Whether it may go: asked again before each try. */
    allowed(): Promise<boolean>;
    post(letter: Letter): Promise<Outcome>;
    note(text: string): void;
}
export declare class Queue {
    private readonly most;
    private readonly ways;
    private waiting;
    private busy;
    private timer;
    private idle;
    constructor(most: number, ways: Ways);
    add(letter: Letter): void;
    /** Resolves when nothing is left. */
    empty(): Promise<void>;
    /** Tries at once, however long it was to wait: the network is back. */
    wake(): void;
    private next;
    private step;
    private again;
    private sleep;
    private rest;
}
