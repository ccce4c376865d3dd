// What the engines' grammars have in common: the position at the end of a line, and
// the form of URLs.
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

const longest = 2000;
const atEnd = /^([^]*?):(\d{1,9}):(\d{1,9})$/;
const lineAtEnd = /^([^]*\D):(\d{1,9})$/;

/** Splits `url:line:column`; null without a position or a URL. The URL is as the engine wrote it. */
export function split(text: string): Position | null {
  const [, url, line, column] = atEnd.exec(text) || lineAtEnd.exec(text) || [];
  return url ? { url, line: +line, column: +column || 0, name: "" } : null;
}

/** A URL as frames have it: of bounded length, without a fragment, which only some engines keep. */
export function written(url: string): string {
  if (/^(?:https?|file):/i.test(url)) url = url.replace(/#.*/, "");
  return url.length > longest ? url.slice(0, longest) + "…" : url;
}

/** Whether a URL belongs to the engine or the host, whose time is its caller's. */
export function isHost(url: string): boolean {
  return /^(?:node:|wasm:|native |\[|<|self-hosted|resource:|chrome:\/|extensions::|internal\/|VM\d*$)/.test(url) || url.includes(":wasm-function[");
}
