// The module form that a module worker imports first: checks and Profiler, since it
// cannot load a classic script.
import { checks } from "../core/flag";
import { atLoad } from "../api/install";
import { setLoader } from "../recording/parts";

setLoader(async (again) => import(new URL("trace.js", import.meta.url) + again));
atLoad();

export const { flag, entry, loop, exit } = checks;
