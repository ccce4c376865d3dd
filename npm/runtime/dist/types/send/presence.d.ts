export interface Presence {
    /** The page is hidden or goes: what is to be sent must be on its way when this returns. */
    leave(): void;
    /** It is shown, or shown again. */
    come(): void;
}
export declare function isShown(): boolean;
/** Watches until what it returns is called. */
export declare function watch({ leave, come }: Presence): () => void;
/** Whether data is too dear: the user saves it, or the network is of the second generation. */
export declare function isDear(): boolean;
/** Calls back when the network changes. */
export declare function watchNetwork(changed: () => void, back: () => void): () => void;
