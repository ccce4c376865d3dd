// The classic script: a page loads it before its instrumented ones, a classic
// worker by importScripts. Its folder is where the runtime's other files are.
import "./core";
import { atLoad, configured } from "./install";
import { setLoader } from "./parts";
import { place } from "./place";

// A worker has no current script; there the stack names it.
const script = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;
const url = script?.src || /[a-z-]+:\/\/.*?(?=:\d+:\d)/.exec(new Error().stack!)?.[0] || "";
place.base = url.replace(/[^/]*([?#].*)?$/, "");

setLoader(() => import(place.base + "trace.js"));
atLoad(configured());
