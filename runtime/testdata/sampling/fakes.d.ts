/** Lets time pass in the task that runs. */
export declare function pass(milliseconds: number): void;
/** Ends the task: messages that were sent arrive. */
export declare function endTask(): void;
/** Lets time pass while nothing runs; timers that are due run, in order. */
export declare function idle(milliseconds: number): void;
/** Moves the clock alone. */
export declare function setClock(change: number): void;
