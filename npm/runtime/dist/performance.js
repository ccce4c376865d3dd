import {
  loadParts,
  setLoader,
  tape
} from "./chunk-OXGTEWU5.js";
import "./chunk-MI2ED3SV.js";
import "./chunk-OL7LCS6D.js";
import "./chunk-MLKGABMK.js";

// runtime/src/performance.ts
var base = 10;
var PerformanceProfiler = class extends EventTarget {
  constructor(options) {
    super();
    /** Called when a sample does not fit. */
    this.onsamplebufferfull = null;
    this.options = settled(options);
    const { sampleInterval: interval, maxBufferSize: limit } = this.options;
    this.session = tape.begin({ interval, limit, onfull: () => this.full() });
  }
  /** Ends profiling, once, and gives the trace. */
  stop() {
    return this.trace ||= this.finish();
  }
  full() {
    if (this.options.categories) tape.end(this.session);
    const event = new Event("samplebufferfull");
    this.dispatchEvent(event);
    this.onsamplebufferfull?.(event);
  }
  async finish() {
    tape.end(this.session);
    const { trace } = await loadParts();
    return this.options.categories ? version1(this.options, await trace(this.session, true)) : trace(this.session);
  }
};
function settled({ sampleInterval, maxBufferSize, categories }) {
  if (!(sampleInterval >= 0 && sampleInterval < Infinity)) throw new RangeError(`sampleInterval is ${sampleInterval}, not a number of milliseconds`);
  const limit = maxBufferSize === void 0 && !categories ? Infinity : Number(maxBufferSize);
  if (!(limit >= 0)) throw new TypeError(`maxBufferSize is ${maxBufferSize}, not a number of samples`);
  if (categories && !(categories.length === 1 && categories[0] === "js")) throw new DOMException('the only category is "js"', "NotSupportedError");
  const interval = Math.ceil(sampleInterval / base) * base || base;
  return Object.freeze({ sampleInterval: interval, maxBufferSize: limit, ...categories && { categories: Object.freeze([...categories]) } });
}
function version1(options, { resources, frames, stacks, samples }) {
  const stackFrames = {};
  stacks.forEach(({ frameId, parentId }, id) => {
    stackFrames[id] = parentId === void 0 ? { name: frameId } : { name: frameId, parent: parentId };
  });
  return {
    version: 1,
    options,
    profile: {
      strings: frames.map(({ name, resourceId, line, column }) => resourceId === void 0 ? name : `${name} @ ${resources[resourceId]}:${line}:${column}`),
      stackFrames,
      "main-thread": samples.map(({ timestamp, stackId }) => stackId === void 0 ? { type: "stack", timestamp } : { type: "stack", timestamp, stack: stackId })
    }
  };
}
async function profile(options) {
  return new PerformanceProfiler(options);
}
function install() {
  if (!performance.profile) Object.defineProperty(performance, "profile", { value: profile, writable: true, configurable: true });
}
setLoader(async () => import(new URL("trace.js", import.meta.url).href));
export {
  PerformanceProfiler,
  install,
  profile
};
