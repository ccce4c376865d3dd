import { type SendOptions } from "./send/options.cjs";
export type { Envelope } from "./send/envelope.cjs";
export type { Consent, Route, SendOptions } from "./send/options.cjs";
export interface Sending {
    /** The session's id, as envelopes have it; empty if the options are wrong. */
    readonly session: string;
    /** Whether a profile is under way. */
    readonly active: boolean;
    /** Starts or ends profiling as consent, route and network are now. */
    update(): void;
    /** Sends what there is, and resolves when it is sent or dropped. */
    flush(): Promise<void>;
    /** Ends profiling, sends what there is, and resolves when it is sent or dropped. */
    stop(): Promise<void>;
}
/** Begins. What is wrong with the options is told to onnote. */
export declare function send(options: SendOptions): Sending;
