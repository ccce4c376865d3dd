// Stacks as V8 writes them:
//
//	Error: a message
//	    at f (https://example.com/app.js:1:2)
//	    at Object.method [as alias] (https://example.com/app.js:1:2)
//	    at https://example.com/app.js:1:2
//	    at eval (eval at f (https://example.com/app.js:1:2), <anonymous>:3:4)
//	    at Array.map (<anonymous>)
//	    at async g (https://example.com/app.js:1:2)
import { evaluated, isHost, split, written, type Grammar, type Line } from "./grammar";

/** How a location after ` (` begins; a name may contain ` (`, too. */
const place = /^(?:eval at |<anonymous>|native\b|index \d|[a-z][\w+.-]*:|\/|[A-Za-z]:\\|\\\\|\.{0,2}\/)/i;

export const v8: Grammar = {
  lines(stack, error) {
    const header = headerOf(error);
    if (header && stack.startsWith(header)) stack = stack.slice(header.length);
    return stack.split("\n").filter((line) => line.startsWith("    at "));
  },

  read(line): Line {
    const text = line.slice("    at ".length);
    if (text.startsWith("async ")) return "async";
    const [name, where] = parts(text);
    return read(where, bareName(name));
  },
};

/** The message, which may have lines of its own that look like frames. */
function headerOf(error: Error): string {
  try {
    return error.message ? `${error.name}: ${error.message}` : "";
  } catch {
    return "";
  }
}

function parts(text: string): [name: string, where: string] {
  if (!text.endsWith(")")) return ["", text];
  let first = -1;
  for (let at = text.indexOf(" ("); at >= 0; at = text.indexOf(" (", at + 1)) {
    if (first < 0) first = at;
    if (place.test(text.slice(at + 2, at + 40))) {
      first = at;
      break;
    }
  }
  return first < 0 ? ["", ""] : [text.slice(0, first), text.slice(first + 2, -1)];
}

function read(where: string, name: string): Line {
  if (where.startsWith("eval at ")) {
    const base = evalBase(where);
    const inside = split(where.slice(where.lastIndexOf(", ") + 2));
    if (!base || !inside) return null;
    return { ...inside, url: base + evaluated, name: name === "eval" ? "" : name };
  }
  const found = split(where);
  if (!found || isHost(found.url)) return null;
  return { ...found, url: written(found.url), name };
}

/** `Type.method [as alias]` without what is around the function's name. */
function bareName(name: string): string {
  name = name.replace(/ \[as [^]*\]$/, "").replace(/^new /, "");
  if (/^[\w$]+\.[^]/.test(name)) name = name.slice(name.indexOf(".") + 1);
  return name === "<anonymous>" ? "" : name;
}

/** The script that contains the outermost eval, from `eval at f (url:1:2)`. */
export function evalBase(origin: string): string {
  const innermost = origin.slice(origin.lastIndexOf("eval at "));
  const open = innermost.indexOf(" (");
  const found = open < 0 ? null : /^([^]*?):\d+:\d+\)/.exec(innermost.slice(open + 2));
  return found ? written(found[1]) : "";
}
