// Which engine wrote a stack.
import type { Grammar } from "./grammar";
import { jsc } from "./jsc";
import { spidermonkey } from "./spidermonkey";
import { v8 } from "./v8";

/** The engine's grammar: V8's lines begin with `at`, Firefox's Errors have a lineNumber, Safari's do not. */
export function grammarOf(text: string, error: Error): Grammar {
  if (/^ {4}at /m.test(text)) return v8;
  return "lineNumber" in error ? spidermonkey : jsc;
}
