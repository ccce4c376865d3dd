// Debug ids: what build tools name a script and its source map by, so that they find each
// other wherever both have gone. A script's function table has the id of its debugId
// comment. Sentry's and Datadog's tools put a snippet into the script, which notes the id
// in a global, under the text of the stack at that moment.
import { cleanURL } from "./clean";

/** The most notes that are read: an application has a few hundred scripts. */
const most = 1000;
/** How much of a note's stack is read: the snippet is at its top. */
const longest = 2000;

/** The script of the innermost frame with one, as any engine writes it: `f (URL:1:2)`, `f@URL:1:2`, or `URL:1:2` alone. */
const scriptURL = /(?:\(|@|\bat |^)([a-z][\w+.-]*:\/\/.*?):\d+:\d+\)?$/im;

/** Whether a value may be a debug id: a UUID, nearly always. */
export function isDebugId(value: unknown): value is string {
  return typeof value === "string" && /^[\da-f-]{1,64}$/i.test(value);
}

/** The ids that snippets have noted, by script. Never throws. */
export function noted(): Map<string, string> {
  const { _sentryDebugIds: sentry, DD_SOURCE_CODE_CONTEXT: datadog } = globalThis as Record<string, unknown>;
  const ids = new Map<string, string>();
  for (const notes of [sentry, datadog]) {
    try {
      for (const [stack, note] of Object.entries(notes || {}).slice(0, most)) {
        const id: unknown = note?.ddDebugId ?? note;
        const url = isDebugId(id) && scriptURL.exec(stack.slice(0, longest))?.[1];
        if (url && !ids.has(url)) ids.set(url, id);
      }
    } catch {
      // The page has put something else there.
    }
  }
  return ids;
}

/** Collects the ids of a trace's scripts. */
export class DebugIds {
  private readonly noted = noted();
  private readonly ids = new Map<string, string>();

  /** Adds a script by the engine's name for it. Scripts that differ only in their query are one resource: if they have different ids, it has none. */
  add(script: string, ofTable?: string) {
    const id = ofTable || this.noted.get(script);
    const resource = cleanURL(script);
    if (id) this.ids.set(resource, (this.ids.get(resource) ?? id) === id ? id : "");
  }

  /** By resource, if any has one. */
  byResource(): Record<string, string> | undefined {
    const found = Array.from(this.ids).filter(([, id]) => id);
    return found.length > 0 ? Object.fromEntries(found) : undefined;
  }
}

/** The ids of the resources of a trace that the browser made. */
export function debugIdsOf(resources: unknown): Record<string, string> | undefined {
  const ids = new DebugIds();
  if (Array.isArray(resources)) for (const url of resources) ids.add(String(url));
  return ids.byResource();
}
