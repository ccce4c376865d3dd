import type { Letter } from "./envelope.cjs";
import type { Settings } from "./options.cjs";
/** What became of a request. Wait is in milliseconds; undefined: as the sender likes. */
export type Outcome = {
    done: true;
} | {
    done: false;
    again: boolean;
    wait?: number;
    why: string;
};
/** Browsers let 64 KiB outlive a page, all that it sends taken together: this is our share. */
export declare const lastBytes: number;
export declare function post({ text, bytes }: Letter, settings: Settings): Promise<Outcome>;
/** Sends something that outlives the page, if the browser takes it. There is no answer. */
export declare function postLast(letter: Letter, settings: Settings): boolean;
