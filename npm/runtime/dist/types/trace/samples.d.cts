import type { Frame, Recording, Stack } from "../recording.cjs";
import type { SampleKind } from "../samples.cjs";
export interface Samples {
    readonly times: number[];
    readonly stacks: (Stack | null)[];
    readonly kinds: SampleKind[];
    /** Ticks. */
    readonly weights: number[];
    readonly skids: number[];
}
export declare function samplesOf(recording: Recording): Samples;
/** Calls visit with every frame of the stacks, each distinct stack's once. */
export declare function eachFrame(stacks: readonly (Stack | null)[], visit: (frame: Frame) => void): void;
