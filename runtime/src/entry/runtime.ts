// The classic script: a page loads it before its instrumented ones, a classic worker by
// importScripts; or an instrumented script starts with it. The runtime's other files are
// in the same folder, or where Configure says.
import "../core/flag";
import { atLoad } from "../api/install";
import { element } from "../core/element";
import { RealError } from "../core/real";
import { setLoader } from "../recording/parts";

// A worker has no current script, but the stack names it.
const url = element?.src || /[a-z-]+:\/\/.*?(?=:\d+:\d)/.exec(new RealError().stack!)?.[0];

// The import is here because it has the permissions of this script. Configure, in package
// runtime, replaces the string by the location of the file.
setLoader(async (again) => import(new URL("trace.js", url) + again));
atLoad();
