// Whether a thread of Node rests, as Linux tells. A ping that comes late does not: the
// thread may have waited for a processor.
import { rest } from "./board";

/** A thread's place in the kernel while it waits for events; each kernel has its own name for it. */
const waits = /^(do_|__)?ep(oll)?_/;

/**
 * A function that tells what a thread of this process does. It knows nothing before it has
 * seen the thread rest: some systems hide where threads wait.
 */
export function restOf(thread: number | undefined): () => number {
  const fs = thread ? globalThis.process?.getBuiltinModule?.("fs") : undefined;
  if (!fs) return () => rest.Unknown;
  const text = new Uint8Array(64);
  let file = -1;
  let known = false;
  return () => {
    try {
      if (file < 0) file = fs.openSync(`/proc/self/task/${thread}/wchan`, "r");
      const length = fs.readSync(file, text, 0, text.length, 0);
      if (waits.test(String.fromCharCode(...text.subarray(0, length)))) {
        known = true;
        return rest.Rested;
      }
    } catch {
      return rest.Unknown;
    }
    return known ? rest.Ran : rest.Unknown;
  };
}
