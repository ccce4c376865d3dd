// The common parts of the engines' grammars: the position at the end of a line, and
// the form of URLs.
//
// Stacks are read within functions of the page, and these may be between a match and
// RegExp.$1: our regular expression would change what the program computes. So
// nothing in this folder has any; eslint sees to that.
import type { Position } from "./intern";

/** A line of a stack: a frame; null for code outside all scripts; "async" if the following frames only wait. */
export type Line = Position | null | "async";

/** How an engine writes stacks. */
export interface Grammar {
  /** The lines of a stack, innermost first, without a message before them. */
  lines(stack: string, error: Error): string[];
  read(line: string): Line;
}

/** The suffix that marks code made by eval and the like, after the URL of the code around it. */
export const evaluated = " > eval";

/** The longest URL, and the most digits of a number. */
const longest = 2000;
const mostDigits = 9;

/** Splits `url:line:column`; null without a position or a URL. The URL is as the engine wrote it. */
export function split(text: string): Position | null {
  const last = colonBefore(text, text.length);
  if (last < 0) return null;
  const first = colonBefore(text, last);
  const url = text.slice(0, first < 0 ? last : first);
  if (!url || (first < 0 && isDigit(url, url.length - 1))) return null;
  const number = +text.slice(last + 1);
  return first < 0 ? { url, line: number, column: 0, name: "" } : { url, line: +text.slice(first + 1, last), column: number, name: "" };
}

/** The index of the colon before the number that ends at an index; -1 without one. */
function colonBefore(text: string, end: number): number {
  const at = digitsBefore(text, end) - 1;
  return at >= 0 && end - at > 1 && end - at <= mostDigits + 1 && text[at] === ":" ? at : -1;
}

/** Where the digits begin that end at an index. */
function digitsBefore(text: string, end: number): number {
  while (end > 0 && isDigit(text, end - 1)) end--;
  return end;
}

/** Where the digits end that begin at an index. */
export function digitsAfter(text: string, at: number): number {
  while (isDigit(text, at)) at++;
  return at;
}

function isDigit(text: string, at: number): boolean {
  return text[at] >= "0" && text[at] <= "9";
}

/** Whether a character may be in a word: a letter of ASCII, a digit or an underscore. */
export function isWord(text: string, at: number): boolean {
  return isDigit(text, at) || isLetter(text, at) || text[at] === "_";
}

export function isLetter(text: string, at: number): boolean {
  const character = text[at];
  return (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
}

/** The scheme with which a URL begins, before its colon; "" without one. */
export function schemeOf(text: string): string {
  if (!isLetter(text, 0)) return "";
  let at = 1;
  while (isWord(text, at) || (at < text.length && "+.-".includes(text[at]))) at++;
  return text[at] === ":" ? text.slice(0, at).toLowerCase() : "";
}

const fetched = ["http", "https", "file"];

/** A URL as frames have it: of bounded length, without a fragment, which only some engines keep. */
export function written(url: string): string {
  const hash = url.indexOf("#");
  if (hash >= 0 && fetched.includes(schemeOf(url))) url = url.slice(0, hash);
  return url.length > longest ? url.slice(0, longest) + "…" : url;
}

const hosts = ["node:", "wasm:", "native ", "[", "<", "self-hosted", "resource:", "chrome:/", "extensions::", "internal/"];

/** Whether a URL belongs to the engine or the host, whose time is its caller's. */
export function isHost(url: string): boolean {
  for (const host of hosts) if (url.startsWith(host)) return true;
  return (url.startsWith("VM") && digitsAfter(url, 2) === url.length) || url.includes(":wasm-function[");
}
