import { Board } from "./board.cjs";
/** What happens to a coordinator. */
interface Hooks {
    /** The worker runs. */
    ready(): void;
    /** The thread came to a ping: nothing that still runs was there when it was sent. */
    ping(): void;
    /** There is no worker, or no longer. */
    failed(why: string): void;
}
export declare class Coordinator {
    private flag;
    private seed;
    private hooks;
    readonly board: Board;
    private worker;
    private ways;
    private begun;
    private raised;
    private attempt;
    constructor(flag: Int32Array, seed: number, hooks: Hooks);
    /** Starts the worker, in the next way that there is. */
    start(): void;
    /** Runs with ticks so many milliseconds apart; none (0) is a pause. */
    run(interval: number): void;
    end(): void;
    private tell;
    /** Takes all pending ticks, and the ping with them. */
    clear(): number;
    /** Whether ticks were raised since it was last asked. */
    moved(): boolean;
}
export {};
