export interface Session {
    readonly id: string;
    /** This one page of it. */
    readonly view: string;
    /** A number from 0 up to 1 that is the session's own: it is in where the rate is higher. */
    readonly draw: number;
    /** Bytes that were sent for it. */
    bytes: number;
    /** Remembers the bytes for the next page. */
    save(): void;
}
/** The session at hand, as far as the seed goes. Never throws. */
export declare function openSession(seed: string): Session;
/** 32 bits: FNV-1a with the mixing step of MurmurHash3. */
export declare function hash(text: string): number;
