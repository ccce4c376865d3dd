import { Tape } from "./tape.js";
/** An Error with a stack that is deep enough, whatever the page wants of its own. */
export declare function newError(): Error;
/** The realm's tape. Of several copies of the runtime, the first one's serves all. */
export declare const tape: Tape;
