import type { ProfilerTrace } from "../parts.cjs";
export interface Envelope {
    version: 1;
    /** Ids: of the session, and of this page of it. */
    session: string;
    view: string;
    page: string;
    /** The route that the rate came from; absent if none fits. */
    route?: string;
    release?: string;
    /** Counts the chunks of the page, from 0. */
    chunk: number;
    /** Of a chunk that is sent in parts: which this is, from 0, and of how many. */
    part?: number;
    parts?: number;
    /** When the chunk began, in milliseconds since 1970. Times in the trace are since `origin`. */
    started: number;
    origin: number;
    /** What was lost before it, for people. */
    notes?: string[];
    trace: ProfilerTrace;
}
/** The text of an envelope, and how long it is. */
export interface Letter {
    text: string;
    bytes: number;
}
/** Envelopes of at most so many bytes, which together hold the trace; `dropped` counts samples too large for any. */
export declare function pack(envelope: Envelope, maxBytes: number): {
    letters: Letter[];
    dropped: number;
};
/** Some of a trace's samples, with what they refer to and nothing else. */
export declare function slice(trace: ProfilerTrace, from: number, to: number): ProfilerTrace;
