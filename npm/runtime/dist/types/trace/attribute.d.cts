import type { Frame, Stack } from "../recording.cjs";
import type { SampleKind } from "../samples.cjs";
/** What attribution must know of a frame's function. */
export interface Flags {
    /** It carries checks, or is a script's top level, so time can be its own. */
    readonly checked: boolean;
    /** The engine fills its parameters before its entry check can run. */
    readonly filledFirst: boolean;
}
export declare class Attribution {
    private readonly flagsOf;
    private readonly callerOf;
    private readonly nearest;
    /** callerOf is for engines that have frames of no function's; null flags are for code of the engine's. */
    constructor(flagsOf: (frame: Frame) => Flags, callerOf?: (stack: Stack) => Stack | null);
    /**
     * The stack whose innermost frame owns the time before a check: of a loop or
     * exit check its function, of an entry check the caller, unless the function's
     * parameters are filled first; from there the nearest checked function
     * outwards. Null where that is nobody.
     */
    owner(stack: Stack | null, kind: SampleKind): Stack | null;
    private checkedFrom;
}
