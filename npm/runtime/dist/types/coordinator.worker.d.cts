/** What the worker is started with. */
export interface Orders {
    flag: Int32Array;
    memory: SharedArrayBuffer;
    seed: number;
}
