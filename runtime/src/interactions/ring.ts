// The rolling profile: a recording of the realm's runtime that keeps the last seconds.
import type { Checks } from "../core/flag";
import { loadParts, type Parts } from "../recording/parts";
import type { Entry, Session } from "../recording/sessions";
import type { Tape } from "../recording/tape";
import type { Ring } from "./slicer";

/** A rolling profile that runs. */
export interface Rolling extends Ring {
  /** Passes what was sampled until now to see. */
  read(): void;
  stop(): void;
}

/** Ticks that it keeps. */
const most = 1 << 16;

/** The object that runtime.js and module.js define. */
interface Runtime {
  loadParts?: () => Promise<Parts>;
}

/** Says how it ended before it was stopped. */
interface Ends {
  /** Its second file does not load. */
  failed(): void;
  /** It has exceeded its budget. */
  over(why: string): void;
}

/** Starts one. Throws if the realm has no runtime. */
export function roll(interval: number, length: number, see: (entry: Entry) => void, { failed, over }: Ends): Rolling {
  const { fieldprof, __fieldprof: checks } = globalThis as { fieldprof?: Runtime; __fieldprof?: Checks };
  const tape = checks!.tape as Tape;
  const limit = Math.min(Math.ceil(length / interval), most);
  const session: Session = tape.begin({ interval, limit, ring: true, see, onover: over });
  const parts = Promise.resolve((fieldprof?.loadParts ?? loadParts)()); // the second for code that bundles the runtime itself
  parts.catch(failed);
  return {
    started: session.started,
    cut: async (from, to) => (await parts).cut(session, from, to),
    read: () => tape.read?.(),
    stop: () => tape.end(session),
  };
}
