// The page may have taken names of globals before it loads some of our scripts: a script's
// `class Map` hides the global of that name, and `function Map` or `var performance` replaces it.
// In those scripts (laterScripts in build/main.go) the free names refer to these exports instead.
import { builtin } from "./builtin";

type Kept = Pick<typeof globalThis, "Map" | "Set" | "performance">;

/** Those that runtime.js kept when it was loaded (recording/tape.ts). */
function kept(): Partial<Kept> {
  try {
    return (globalThis.__fieldprof!.tape as { kept: Kept }).kept || {};
  } catch {
    return {}; // there is no runtime, or a frame of another site has its name
  }
}

export const { Map = globalThis.Map, Set = globalThis.Set, performance = builtin("performance")! } = kept();
export const {
  AbortController, Array, Atomics, Blob, Boolean, Date, DOMException, Error, EventTarget, Float64Array, Function, Int32Array, JSON, Math,
  Number, Object, Promise, RangeError, Reflect, RegExp, SharedArrayBuffer, String, TextDecoder, TypeError, URL, Uint16Array, Uint32Array,
  WeakMap, WeakSet, Worker, crypto, navigator,
} = globalThis; // prettier-ignore
