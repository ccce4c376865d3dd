// Stacks as Safari and WebKitGTK write them:
//
//	f@https://example.com/app.js:1:2
//	https://example.com/app.js:1:2
//	global code@https://example.com/app.js:1:2
//	map@[native code]
//	eval code@
//	async g@https://example.com/app.js:1:2
//
// Code made by eval or new Function has no position; an anonymous default export is
// called starDefault.
import { isHost, schemeOf, split, written, type Grammar, type Line } from "./grammar";
import { nameEnd } from "./spidermonkey";

/** Schemes that need no slash after them. */
const opaque = ["blob", "data", "node", "about"];

const topLevel = ["global code", "module code", "eval code"];

export const jsc: Grammar = {
  lines(stack) {
    return stack.split("\n").filter(Boolean);
  },

  read(line): Line {
    const at = isBare(line) ? -1 : nameEnd(line);
    const name = line.slice(0, Math.max(0, at));
    if (name.startsWith("async ")) return "async";
    const found = split(line.slice(at + 1));
    if (!found || isHost(found.url) || line.includes(":wasm-function[")) return null;
    return { ...found, url: written(found.url), name: topLevel.includes(name) ? "" : name === "starDefault" ? "default" : name };
  },
};

/** Whether a line has no name: then it need not have an @ before its URL. */
function isBare(line: string): boolean {
  const scheme = schemeOf(line);
  return scheme !== "" && (line[scheme.length + 1] === "/" || opaque.includes(scheme));
}
