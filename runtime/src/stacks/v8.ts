// Stacks as V8 writes them:
//
//	Error: a message
//	    at f (https://example.com/app.js:1:2)
//	    at Object.method [as alias] (https://example.com/app.js:1:2)
//	    at https://example.com/app.js:1:2
//	    at eval (eval at f (https://example.com/app.js:1:2), <anonymous>:3:4)
//	    at Array.map (<anonymous>)
//	    at async g (https://example.com/app.js:1:2)
import { digitsAfter, evaluated, isHost, isWord, schemeOf, split, written, type Grammar, type Line } from "./grammar";

/** How a location after ` (` begins that has no scheme, which a drive is, too. */
const starts = ["eval at ", "<anonymous>", "/", "\\\\", "./", "../"];

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
    if (beginsLocation(text.slice(at + 2, at + 40))) {
      first = at;
      break;
    }
  }
  return first < 0 ? ["", ""] : [text.slice(0, first), text.slice(first + 2, -1)];
}

/** Whether a text is that after ` (`; a name may contain ` (`, too. */
function beginsLocation(text: string): boolean {
  const lower = text.toLowerCase();
  if (schemeOf(text) !== "" || starts.some((start) => lower.startsWith(start))) return true;
  return lower.startsWith("native") ? !isWord(lower, "native".length) : lower.startsWith("index ") && digitsAfter(lower, "index ".length) > "index ".length;
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
  const alias = name.endsWith("]") ? name.indexOf(" [as ") : -1;
  if (alias >= 0) name = name.slice(0, alias);
  if (name.startsWith("new ")) name = name.slice("new ".length);
  let dot = 0;
  while (isWord(name, dot) || name[dot] === "$") dot++;
  if (dot > 0 && name[dot] === "." && dot + 1 < name.length) name = name.slice(dot + 1);
  return name === "<anonymous>" ? "" : name;
}

/** The script that contains the outermost eval, from `eval at f (url:1:2)`. */
export function evalBase(origin: string): string {
  const innermost = origin.slice(origin.lastIndexOf("eval at "));
  const open = innermost.indexOf(" (");
  if (open < 0) return "";
  const url = open + 2;
  for (let at = innermost.indexOf(":", url); at >= 0; at = innermost.indexOf(":", at + 1)) {
    const line = digitsAfter(innermost, at + 1);
    const column = innermost[line] === ":" ? digitsAfter(innermost, line + 1) : line;
    if (line > at + 1 && column > line + 1 && innermost[column] === ")") return written(innermost.slice(url, at));
  }
  return "";
}
