import type { Coordinator } from "./coordinator.js";
import { type Source } from "./samples.js";
import type { Tape } from "./tape.js";
export declare class Shared implements Source {
    private tape;
    private coordinator;
    private missed;
    constructor(tape: Tape, coordinator: Coordinator);
    take(_: number, raised: number): [ticks: number, due: number];
    pace(): void;
    run(interval: number): void;
    settle(busy?: boolean): void;
    private due;
}
