// Requests to the server.
import { builtin } from "../core/builtin";
import { cancel, later } from "../core/timers";
import { errorName } from "../trace/clean";
import type { Letter } from "./envelope";
import type { Settings } from "./options";

/** The outcome of a request. Wait is in milliseconds; undefined: the sender decides. */
export type Outcome = { done: true } | { done: false; again: boolean; wait?: number; why: string; error?: unknown };

/** Browsers let 64 KiB outlive a page, over all its requests: this is our share. */
export const lastBytes = 48 << 10;
/** A request of up to this size may outlive the page. */
const smallBytes = 16 << 10;
/** The time limit of a request, in milliseconds. */
const patience = 30_000;
/** The longest wait that a server can ask for, in milliseconds. */
const longestWait = 3600_000;

const { Blob, Response, CompressionStream, AbortController } = globalThis;
const fetch = builtin("fetch")!;
/** Keeps the page's query out of the referrer. */
const referrerPolicy = "strict-origin";
const sendBeacon = globalThis.navigator?.sendBeacon?.bind(navigator);

/** Only text needs no preflight. */
function contentType({ sameOrigin, headers }: Settings): string {
  return sameOrigin || headers ? "application/json" : "text/plain;charset=UTF-8";
}

async function gzip(text: string): Promise<Blob> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(stream).blob();
}

export async function post({ text, bytes }: Letter, settings: Settings): Promise<Outcome> {
  const headers: Record<string, string> = { "Content-Type": contentType(settings), ...settings.headers };
  const stop = new AbortController();
  const timer = later(() => stop.abort(), patience);
  try {
    let body: string | Blob = text;
    if (settings.compress && CompressionStream) {
      body = await gzip(text);
      bytes = body.size;
      headers["Content-Encoding"] = "gzip";
    }
    const { url, credentials } = settings;
    const response = await fetch(url, { method: "POST", body, headers, credentials, referrerPolicy, keepalive: bytes <= smallBytes, signal: stop.signal });
    await response.arrayBuffer(); // Chromium's tools show an unread response as failed
    return judge(response);
  } catch (error) {
    return { done: false, again: true, why: errorName(error), error };
  } finally {
    cancel(timer);
  }
}

function judge({ ok, status, headers }: Response): Outcome {
  if (ok) return { done: true };
  const again = status === 408 || status === 425 || status === 429 || status >= 500;
  return { done: false, again, wait: retryAfter(headers.get("Retry-After")), why: `the server says ${status}` };
}

/** Parses seconds or a date. */
function retryAfter(text: string | null): number | undefined {
  if (!text) return undefined;
  const wait = /^\s*\d+\s*$/.test(text) ? +text * 1000 : Date.parse(text) - Date.now();
  return wait >= 0 ? Math.min(wait, longestWait) : undefined;
}

/** Whether a page's URL may be a referrer. */
function isBare(location: Location | undefined): boolean {
  return !!location && !/[?@]/.test(location.href.replace(/#.*/, ""));
}

/** Sends a request that outlives the page, if the browser accepts it. It does not wait for the response; it calls `failed` if the request fails. */
export function postLast(letter: Letter, settings: Settings, failed: () => void): boolean {
  const { url, headers, credentials, sameOrigin } = settings;
  if (letter.bytes > lastBytes) return false;
  // A beacon has no headers, always credentials, and the page's own referrer.
  if (sendBeacon && !headers && isBare(globalThis.location) && (sameOrigin ? credentials !== "omit" : credentials === "include")) {
    try {
      return sendBeacon(url, new Blob([letter.text], { type: contentType(settings) }));
    } catch {
      return false; // the page has replaced it
    }
  }
  try {
    const request = fetch(url, {
      method: "POST",
      body: letter.text,
      headers: { "Content-Type": contentType(settings), ...headers },
      credentials,
      referrerPolicy,
      keepalive: true,
    });
    request.catch(failed);
    return true;
  } catch {
    return false; // so has it
  }
}
