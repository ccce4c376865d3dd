// The module form that a module worker imports first: checks and Profiler, for
// it can load no classic script.
import { checks } from "./core";
import { atLoad, configured } from "./install";
import { setLoader } from "./parts";
import { place } from "./place";

place.base = new URL(".", import.meta.url).href;

setLoader(() => import(place.base + "trace.js"));
atLoad(configured());

export const { flag, capture, entry, loop, exit } = checks;
