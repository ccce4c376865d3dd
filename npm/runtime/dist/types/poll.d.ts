import { type Source } from "./samples.js";
import type { Tape } from "./tape.js";
export declare function makePoll(tapeOf: () => Tape): Source;
