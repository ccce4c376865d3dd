import { type Source } from "./samples.cjs";
import type { Tape } from "./tape.cjs";
export declare function makePoll(tapeOf: () => Tape): Source;
