// Stacks as Firefox writes them:
//
//	f@https://example.com/app.js:1:2
//	@https://example.com/app.js:1:2
//	g/<@https://example.com/app.js line 3 > eval:1:2
//	promise callback*h@https://example.com/app.js:1:2
import { digitsAfter, evaluated, isHost, isLetter, isWord, schemeOf, split, written, type Grammar, type Line } from "./grammar";

/** How a location after `@` begins that has no scheme. */
const starts = ["/", "[", "<", "self-hosted", "debugger eval"];

export const spidermonkey: Grammar = {
  lines(stack) {
    return stack.split("\n").filter((line) => line.includes("@"));
  },

  read(line): Line {
    const at = nameEnd(line);
    const name = line.slice(0, at);
    // The first function of an outer part of the stack says why it waits: `async*f`, `setTimeout handler*f`.
    if (waits(name)) return "async";
    const found = split(line.slice(at + 1));
    if (!found || isHost(found.url) || line.includes(":wasm-function[")) return null;
    // Code made by eval and the like: `url line 3 > eval line 1 > Function`.
    const made = madeAt(found.url);
    const url = made < 0 ? written(found.url) : written(found.url.slice(0, made)) + evaluated;
    return { ...found, url, name };
  },
};

/** Whether a name begins with words and a star. */
function waits(name: string): boolean {
  if (!isLetter(name, 0)) return false;
  let at = 1;
  while (isWord(name, at) || name[at] === "." || name[at] === " ") at++;
  return name[at] === "*";
}

/** Where a URL says at which line code was made: ` line 3 > `; -1 if it does not. */
function madeAt(url: string): number {
  const before = " line ";
  for (let at = url.indexOf(before); at >= 0; at = url.indexOf(before, at + 1)) {
    const digits = at + before.length;
    const end = digitsAfter(url, digits);
    if (end > digits && url.startsWith(" > ", end)) return at;
  }
  return -1;
}

/** The index of the @ after the name; -1 without one. Names and URLs may contain some, too. */
export function nameEnd(line: string): number {
  let first = -1;
  for (let at = line.indexOf("@"); at >= 0; at = line.indexOf("@", at + 1)) {
    if (first < 0) first = at;
    if (beginsLocation(line.slice(at + 1, at + 40))) return at;
  }
  return first;
}

function beginsLocation(text: string): boolean {
  const lower = text.toLowerCase();
  return schemeOf(text) !== "" || starts.some((start) => lower.startsWith(start));
}
