import type { Coordinator } from "./coordinator.cjs";
import { type Source } from "./samples.cjs";
import type { Tape } from "./tape.cjs";
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
