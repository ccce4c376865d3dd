// The code that Configure adds to runtime.js and module.js where a document's policy is to be obeyed:
// a browser that refuses its own Profiler for lack of a Document-Policy does not get ours either.

type Constructor = new (options: object) => object;

const { fieldprof, Profiler } = globalThis as { fieldprof?: { Profiler: Constructor; native?: Constructor }; Profiler?: Constructor };
const { construct, defineProperty } = Reflect;

/** Asked for an impossible interval, the browser's Profiler starts nothing, and refuses first. */
function refuses(native: Constructor) {
  try {
    new native({ sampleInterval: -1, maxBufferSize: 0 });
  } catch (error) {
    return (error as Error).name === "NotAllowedError";
  }
}

const native = fieldprof?.native;
if (native) {
  const ours = fieldprof.Profiler;
  const obeying = new Proxy(ours, {
    construct: (target, options, newTarget) => construct(refuses(native) ? native : target, options, newTarget),
  });
  if (Profiler === ours) defineProperty(ours.prototype, "constructor", { value: obeying });
  defineProperty(globalThis, "Profiler", { value: Profiler === ours ? obeying : native });
}
