export declare const flag: Int32Array<ArrayBufferLike>, capture: (kind: import("./core.cjs").Kind, deeper?: number) => void, entry: () => void, loop: () => void, exit: <T>(value: T) => T;
