// Texts that may leave the page. Every URL and every text of a trace, a recording or an
// envelope passes through here on its way out; inside, URLs stay as the engine wrote
// them, so that scripts that differ only in their query stay apart.
import { evaluated } from "../stacks/grammar";

/** The longest authority that is kept: the end of a longer one may be cut off. */
const longestHost = 300;

/** Schemes whose URLs have an authority, regardless of the number of slashes. */
const special = /^(?:https?|wss?|ftp):/i;

/**
 * A URL without query, fragment and user info. A data: URL is cut to its type, a
 * blob: URL to its origin, javascript: to the scheme. Paths on a disk, in Node,
 * may hold any character and are left as they are.
 */
export function cleanURL(url: string): string {
  url = url.trim();
  if (url.endsWith(evaluated)) return cleanURL(url.slice(0, -evaluated.length)) + evaluated;
  const scheme = /^([a-z][\w+.-]+):/i.exec(url)?.[1].toLowerCase();
  if (scheme === "data") return "data:" + (/^[\w.+-]{1,60}\/[\w.+-]{1,80}(?=[;,]|$)/.exec(url.slice(url.indexOf(":") + 1)) || "");
  if (scheme === "javascript") return "javascript:";
  if (scheme === "blob") return "blob:" + originOf(url.slice(url.indexOf(":") + 1));
  if (!scheme && !globalThis.location) return url;
  return withoutUser(url.replace(/[?#][^]*/, ""));
}

/** The origin of a URL in a blob: URL, empty where it has none. */
function originOf(url: string): string {
  return /^[a-z][\w+.-]*:\/\/[^\\/?#]*/i.exec(withoutUser(url))?.[0] || "";
}

function withoutUser(url: string): string {
  const [start] = special.test(url) ? /^[^:]*:[\\/]*/.exec(url)! : /^(?:[a-z][\w+.-]*:)?(?:[\\/]{2})?/i.exec(url)!;
  if (!/[\\/]$/.test(start) && !special.test(url)) return url;
  const [authority] = /^[^\\/?#]*/.exec(url.slice(start.length))!;
  const rest = url.slice(start.length + authority.length);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return start + (authority.length > longestHost ? "" : host) + rest;
}

/**
 * A text with its URLs cleaned. The end of a URL in a text is unknown, so the text is
 * cut off after a query, a fragment or a data: URL. isPattern: the text is a glob or
 * a RegExp, which only looks like a path with a query.
 */
export function cleanText(text: string, isPattern = false): string {
  if (!/[:?#@]/.test(text)) return text;
  const cleaned = text
    .replace(/\bdata:([\w.+-]{1,60}\/[\w.+-]{1,80})?[;,][^]*/i, (_, type = "") => "data:" + type)
    .replace(/(^|[^\w/.-])javascript:[^]+/i, "$1javascript:")
    .replace(/\bblob:\S*/gi, cleanURL)
    .replace(/(?:\b[a-z][\w+.-]{1,30}:[\\/]{0,9}|[\\/]{2})[^\s\\/?#@]*(?:@[^\s\\/?#]*)?/gi, hostOnly)
    .replace(/[?#&][\w.~%[\]+-]{1,200}=[^]*/, "");
  const bare = cut(cleaned, /(?:\b[a-z][\w+.-]{1,30}:[\\/]|\babout:)[^\s?#]*[?#]?/gi);
  return isPattern || !globalThis.location ? bare : cut(bare, /(?:^|[\s"'`([])\.{0,2}\/[^\s?#]*[?#]?/g);
}

/** A text up to the first match that has a query or a fragment; the pattern includes its first character. */
function cut(text: string, pattern: RegExp): string {
  for (const { 0: url, index } of text.matchAll(pattern)) {
    if (/[?#]/.test(url.slice(-1))) return text.slice(0, index + url.length - 1);
  }
  return text;
}

function hostOnly(start: string): string {
  return /[\\/]|^(?:https?|wss?|ftp):/i.test(start) ? withoutUser(start) : start;
}

/** Errors of the language and the platform. */
const errorNames =
  /^(?:(?:Range|Reference|Syntax|Type|URI|Aggregate)?Error|(?:Abort|DataClone|Encoding|InvalidState|Network|NotAllowed|NotFound|NotReadable|NotSupported|QuotaExceeded|Security|Timeout|Unknown)Error)$/;

/** An error whose text is ours, and holds nothing from a page or a file. */
export class Fault extends Error {}

/** The part of an error that may be revealed: its name, but not its message. */
export function errorName(error: unknown): string {
  try {
    if (error instanceof Fault) return `Error: ${error.message}`;
    const { name, code } = error as { name?: unknown; code?: unknown };
    const found = typeof name === "string" && errorNames.test(name) ? name : "Error";
    return !globalThis.location && typeof code === "string" && /^E[A-Z]{2,15}$/.test(code) ? `${found} ${code}` : found;
  } catch {
    return "Error";
  }
}
