// A source's description of itself, and the data that a page leaves to the next one in its tab.
import { checks } from "../core/flag";
import { makeID } from "../core/identity";
import { timeOrigin } from "../core/origin";
import { version, type Hello } from "./protocol";

/** In sessionStorage, from a page's end to the next page's beginning. */
const key = "fieldprof.live";
const longest = 300;

const { document, location, navigator, SharedArrayBuffer } = globalThis;

export const id = makeID();

/** Whether another thread can raise the flag. */
export const canShare = !!SharedArrayBuffer && checks.flag.buffer instanceof SharedArrayBuffer;

/** The data that a page leaves: its identity, and how it was recorded. */
export interface Legacy {
  id: string;
  interval?: number;
  clock?: string;
}

/** The storage of the tab; frames in a page share it, and leave nothing. Throws where it is denied. */
function storage(): Storage | undefined {
  return document && globalThis.top === globalThis.window ? sessionStorage : undefined;
}

/** Leaves something to the next page. */
export function leave(legacy: Omit<Legacy, "id">) {
  try {
    storage()?.setItem(key, JSON.stringify({ id, ...legacy }));
  } catch {
    // It is denied or full: the next page will not know.
  }
}

/** Takes what was left, if anything was. */
export function inherit(): Legacy | undefined {
  try {
    const text = storage()?.getItem(key);
    storage()?.removeItem(key);
    const legacy = text && JSON.parse(text);
    return legacy && /^[\w-]{16,128}$/.test(legacy.id) ? legacy : undefined;
  } catch {
    return undefined;
  }
}

/** A page's title, or a worker's script and the name that it was given. */
function nameOf(): string {
  const { name } = globalThis as { name?: string };
  if (document) return document.title || location.pathname;
  return location.pathname.replace(/^.*\//, "") + (name ? ` (${name})` : "");
}

/** The pass that the server gave the page or worker. */
export interface Pass {
  token: string;
  /** Which build of the site was loaded. */
  build: string | undefined;
}

export function describeSelf({ token, build }: Pass, after: string | undefined): Hello {
  return {
    type: "hello",
    version,
    token,
    id,
    ...(after && { after }),
    ...(build && { build }),
    what: document ? "page" : "worker",
    name: nameOf().slice(0, longest),
    url: location.href.replace(/#.*/, "").slice(0, longest),
    engine: navigator.userAgent.slice(0, longest),
    clocks: canShare ? ["shared", "poll"] : ["poll"],
    origin: timeOrigin(),
  };
}

/** Whether the page has yet to say what it is called. */
export function isNameless(): boolean {
  return !!document && document.readyState === "loading" && !document.title;
}
