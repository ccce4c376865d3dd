import type { Settings } from "./options.cjs";
import type { Session } from "./session.cjs";
export declare class Sender {
    private readonly settings;
    private readonly session;
    private chunk;
    private chunks;
    private finishing;
    private asking;
    private ended;
    private full;
    private notes;
    private readonly queue;
    private unwatch;
    constructor(settings: Settings, session: Session);
    /** Begins to follow the page, if any of its routes may be profiled. */
    start(): void;
    /** Starts or ends profiling, as things are now. */
    update(): void;
    get active(): boolean;
    /** Sends what there is, and resolves when it is sent or dropped. */
    flush(): Promise<void>;
    /** Ends it. */
    stop(): Promise<void>;
    private begin;
    /** Ends the chunk behind the start of the next one, so that nothing falls between. */
    private next;
    private finish;
    private record;
    private page;
    private close;
    private submit;
    private send;
    private pay;
    private allowed;
    private consents;
    private note;
    private leaving;
    private leave;
    private come;
}
