// What the engines' grammars have in common: where a line's text ends in a
// position, and how URLs are written.
import type { Position } from "./intern";

/** A line of a stack: a frame; null for code that is no script's; "async" where what follows only waits. */
export type Line = Position | null | "async";

/** An engine's way to write stacks. */
export interface Grammar {
  /** The lines of a stack, innermost first, without a message before them. */
  lines(stack: string, error: Error): string[];
  read(line: string): Line;
}

/** What stands behind the URL of the code around it, for code that eval and its like made. */
export const evaluated = " > eval";

const longest = 2000;
const atEnd = /^([^]*?):(\d{1,9}):(\d{1,9})$/;
const lineAtEnd = /^([^]*\D):(\d{1,9})$/;

/** Splits `url:line:column`. Without a position, or without a URL, it is null. The URL is as the engine wrote it. */
export function split(text: string): Position | null {
  const [, url, line, column] = atEnd.exec(text) || lineAtEnd.exec(text) || [];
  return url ? { url, line: +line, column: +column || 0, name: "" } : null;
}

/** A URL as frames have it: without a fragment, which only some engines keep, and of bounded length. */
export function written(url: string): string {
  if (/^(?:https?|file):/i.test(url)) url = url.replace(/#.*/, "");
  return url.length > longest ? url.slice(0, longest) + "…" : url;
}

/** Whether a URL is of the engine's or host's own code, whose time is its caller's. */
export function isHost(url: string): boolean {
  return /^(?:node:|wasm:|native |\[|<|self-hosted|resource:|chrome:\/|extensions::|internal\/|VM\d*$)/.test(url) || url.includes(":wasm-function[");
}
