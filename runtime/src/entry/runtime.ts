// The classic script: a page loads it before its instrumented ones, a classic
// worker by importScripts; or an instrumented script carries it in front of
// itself. The runtime's other files are beside it, or where Configure says.
import "../core/flag";
import { atLoad } from "../api/install";
import { setLoader } from "../recording/parts";

// A worker has no current script; there the stack names it.
const script = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;
const url = script?.src || /[a-z-]+:\/\/.*?(?=:\d+:\d)/.exec(new Error().stack!)?.[0];

// The import stands here, since it is allowed what the script around it is. Package
// runtime (Configure) writes where the file is in place of the string.
setLoader(async () => import(new URL("trace.js", url).href));
atLoad();
