// Which scripts a page may see in its traces. As in Chromium, frames are left out, and
// the rest of the stack stays, if another origin served the script without CORS, or
// if it belongs to another realm (a frame), an extension or ourselves. CORS must be
// evident, otherwise it is assumed not to apply.
import { evaluated } from "../stacks/grammar";

/** Our own scripts, in the same folder as this one. */
const ours = /^(?:runtime|module|checks|trace|coordinator|register|mozilla|statistics|send|interactions|performance|profiler|index)\.[cm]?js$/;

/** The folder of this script, if it is a file of its own. */
const folder = /^(.*\/)trace\.[cm]?js(?:[?#].*)?$/.exec(import.meta.url || "")?.[1];

export function isOurs(url: string): boolean {
  return !!folder && url.startsWith(folder) && ours.test(url.slice(folder.length).replace(/[?#].*/, ""));
}

type Timing = PerformanceResourceTiming & { responseStatus?: number };

/** The known origins of scripts when a trace is made. */
export class Origins {
  private readonly seen = new Map<string, boolean>();
  private readonly foreign: Set<string>;
  private readonly page: string;
  private readonly isAll: boolean;

  constructor() {
    const own = globalThis.location as Location | undefined;
    this.isAll = !own;
    this.page = bare(String(own?.href));
    this.foreign = this.isAll ? new Set() : scriptsOfOtherRealms(this.page);
  }

  /** Whether traces may show a script. A table that its server gave us under CORS is evidence, too. */
  shows(url: string, hasTable: boolean): boolean {
    if (isOurs(url)) return false;
    if (this.isAll) return true;
    if (url.endsWith(evaluated) || this.foreign.has(url)) return false;
    if (hasTable) return true;
    return this.allows(url);
  }

  /** Whether the function table of a script may be asked for; checked: the script is known to have checks. */
  asks(url: string, checked: boolean): boolean {
    if (url.endsWith(evaluated)) return false;
    if (this.isAll || url === this.page) return true;
    if (isOurs(url) || !/^https?:/i.test(url)) return false;
    return checked || this.allows(url);
  }

  private allows(url: string): boolean {
    let allowed = this.seen.get(url);
    if (allowed === undefined) {
      try {
        allowed = url === this.page || this.decide(url);
      } catch {
        allowed = false; // the name of evaluated code is not a URL
      }
      this.seen.set(url, allowed);
    }
    return allowed;
  }

  private decide(url: string): boolean {
    const { protocol, host } = new URL(url);
    switch (protocol) {
      case "http:":
      case "https:":
        return new URL(url).origin === ownOrigin() ? !wasRedirectedAway(url) : hasCORS(url);
      case "blob:":
        return new URL(url).origin === ownOrigin();
      case "data:":
        return true;
      case "about:":
        return false;
    }
    if (protocol === location.protocol) return host === location.host;
    return protocol !== "file:" && !protocol.endsWith("extension:"); // names that builds give evaluated code
  }
}

/** The origin of this realm. A page's script may take the name; where a URL tells, only sandboxes have another one. */
function ownOrigin(): string {
  const { origin } = globalThis;
  return /^http/.test(location.protocol) && origin !== "null" ? location.origin : origin;
}

/** Whether there is evidence that a script of another origin was loaded under CORS. */
function hasCORS(url: string): boolean {
  const elements = globalThis.document ? [...document.scripts].filter((script) => isOf(script, url)) : [];
  if (elements.length > 0) return elements.every((script) => script.crossOrigin !== null || script.type === "module");
  if (isModuleWorker()) return true;
  // An imported module has no element. The status of a response without CORS is 0.
  const loads = timings(url);
  return loads.length > 0 && loads.every((load) => (load.responseStatus || 0) > 0);
}

/** WebKit's frames have no query. */
function isOf(script: HTMLScriptElement, url: string): boolean {
  const src = bare(script.src);
  return src === url || (!url.includes("?") && src.replace(/\?.*/, "") === url);
}

/** In Chromium and Firefox, a script of this origin that redirects to another one keeps its URL. */
function wasRedirectedAway(url: string): boolean {
  const loads = timings(url);
  return loads.length > 0 && loads.every((load) => load.responseStatus === 0 && load.requestStart === 0);
}

function timings(url: string): Timing[] {
  const entries = performance.getEntriesByName(url, "resource") as Timing[];
  return entries.filter((entry) => entry.initiatorType === "script" || entry.initiatorType === "other");
}

/** A module worker loads everything under CORS, and its importScripts throws. */
function isModuleWorker(): boolean {
  const { importScripts } = globalThis as { importScripts?: () => void };
  if (!importScripts) return false;
  try {
    importScripts();
    return false;
  } catch {
    return true;
  }
}

/** The scripts of the frames around and below this one, as far as accessible, but not those that it has itself. */
function scriptsOfOtherRealms(page: string): Set<string> {
  const found = new Set<string>();
  if (!globalThis.document) return found;
  const others = new Set<Window>();
  for (const at of [window.parent, window.top, window.opener as Window | null]) if (at && at !== window) others.add(at);
  for (let i = 0; i < window.length && i < 100; i++) others.add(window[i]);
  for (const other of others) {
    try {
      for (const url of scriptsOf(other)) found.add(url);
    } catch {
      // It is of another origin: the engine itself hides its frames.
    }
  }
  if (found.size === 0) return found;
  found.delete(page);
  for (const url of scriptsOf(window, { performance })) found.delete(url);
  return found;
}

function* scriptsOf(realm: Window, { performance }: Pick<Window, "performance"> = realm): Generator<string> {
  yield bare(realm.location.href);
  for (const script of realm.document.scripts) if (script.src) yield bare(script.src);
  for (const entry of performance.getEntriesByType("resource") as Timing[]) {
    if (entry.initiatorType === "script" || entry.initiatorType === "other") yield bare(entry.name);
  }
}

function bare(url: string): string {
  return url.replace(/#.*/, "");
}
