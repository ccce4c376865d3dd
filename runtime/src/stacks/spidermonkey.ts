// Stacks as Firefox writes them:
//
//	f@https://example.com/app.js:1:2
//	@https://example.com/app.js:1:2
//	g/<@https://example.com/app.js line 3 > eval:1:2
//	promise callback*h@https://example.com/app.js:1:2
import { evaluated, isHost, split, written, type Grammar, type Line } from "./grammar";

/** How a location after `@` begins; names and URLs may contain `@`, too. */
const locationStart = /^(?:[a-z][\w+.-]*:|\/|\[|<|self-hosted|debugger eval)/i;

export const spidermonkey: Grammar = {
  lines(stack) {
    return stack.split("\n").filter((line) => line.includes("@"));
  },

  read(line): Line {
    const at = nameEnd(line);
    const name = line.slice(0, at);
    // The first function of an outer part of the stack says why it waits: `async*f`, `setTimeout handler*f`.
    if (/^[A-Za-z][\w. ]*\*/.test(name)) return "async";
    const found = split(line.slice(at + 1));
    if (!found || isHost(found.url) || line.includes(":wasm-function[")) return null;
    // Code made by eval and the like: `url line 3 > eval line 1 > Function`.
    const made = / line \d+ > /.exec(found.url);
    const url = made ? written(found.url.slice(0, made.index)) + evaluated : written(found.url);
    return { ...found, url, name };
  },
};

/** The index of the @ after the name; -1 without one. */
export function nameEnd(line: string): number {
  let first = -1;
  for (let at = line.indexOf("@"); at >= 0; at = line.indexOf("@", at + 1)) {
    if (first < 0) first = at;
    if (locationStart.test(line.slice(at + 1, at + 40))) return at;
  }
  return first;
}
