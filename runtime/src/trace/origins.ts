// Which scripts a page may see in its traces. As in Chromium, frames of scripts
// that another origin served without CORS are left out, and the rest of the
// stack stays; so are scripts of other realms (frames), of extensions, and our
// own. Without evidence that CORS holds, it does not.
import { evaluated } from "../stacks/grammar";

/** Scripts of ours that stand in one folder with this one. */
const ours = /^(?:runtime|module|checks|trace|coordinator|register|mozilla|statistics|send|performance|profiler|index)\.[cm]?js$/;

/** Where this script is, when it is a file of its own. */
const folder = /^(.*\/)trace\.[cm]?js(?:[?#].*)?$/.exec(import.meta.url || "")?.[1];

export function isOurs(url: string): boolean {
  return !!folder && url.startsWith(folder) && ours.test(url.slice(folder.length).replace(/[?#].*/, ""));
}

type Timing = PerformanceResourceTiming & { responseStatus?: number };

/** What is known of scripts' origins at the moment of a trace. */
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

  /** Whether traces may speak of a script. A table that its server gave us under CORS says so, too. */
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
        allowed = false; // no URL: such is the name of evaluated code
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
        return new URL(url).origin === globalThis.origin ? !wasRedirectedAway(url) : hasCORS(url);
      case "blob:":
        return new URL(url).origin === globalThis.origin;
      case "data:":
        return true;
      case "about:":
        return false;
    }
    if (protocol === location.protocol) return host === location.host;
    return protocol !== "file:" && !protocol.endsWith("extension:"); // names that builds give evaluated code
  }
}

/** Evidence that a script of another origin was loaded under CORS. */
function hasCORS(url: string): boolean {
  const elements = globalThis.document ? Array.from(document.scripts).filter((script) => isOf(script, url)) : [];
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

/** A script of this origin that redirects to another one keeps its URL, in Chromium and Firefox. */
function wasRedirectedAway(url: string): boolean {
  const loads = timings(url);
  return loads.length > 0 && loads.every((load) => load.responseStatus === 0 && load.requestStart === 0);
}

function timings(url: string): Timing[] {
  const entries = performance.getEntriesByName(url, "resource") as Timing[];
  return entries.filter((entry) => entry.initiatorType === "script" || entry.initiatorType === "other");
}

/** All that a module worker loads comes under CORS; importScripts tells it by throwing. */
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

/** The scripts of frames around and below this one, as far as it may look, that are not its own, too. */
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
      // Of another origin: the engine hides its frames itself.
    }
  }
  if (found.size === 0) return found;
  found.delete(page);
  for (const url of scriptsOf(window)) found.delete(url);
  return found;
}

function* scriptsOf(realm: Window): Generator<string> {
  yield bare(realm.location.href);
  for (const script of Array.from(realm.document.scripts)) if (script.src) yield bare(script.src);
  for (const entry of realm.performance.getEntriesByType("resource") as Timing[]) {
    if (entry.initiatorType === "script" || entry.initiatorType === "other") yield bare(entry.name);
  }
}

function bare(url: string): string {
  return url.replace(/#.*/, "");
}
