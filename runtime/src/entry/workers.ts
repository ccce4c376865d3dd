// The code that Configure adds to runtime.js and module.js where workers are to be wrapped.
import { wrapWorkers } from "../api/wrap";

const { __fieldprof, document } = globalThis;
const script = document?.currentScript as HTMLScriptElement | null | undefined;
const url = script?.src || /[a-z-]+:\/\/.*?(?=:\d+:\d)/.exec(new Error().stack!)?.[0];

// There may be several copies of the runtime.
if (__fieldprof && !__fieldprof.workers) {
  // Configure replaces the string by the location of the file.
  __fieldprof.workers = wrapWorkers(new URL("runtime.js", url).href);
}
