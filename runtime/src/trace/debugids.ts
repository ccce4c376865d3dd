// Debug ids: build tools name a script and its source map by them, so that they find each
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

/** The note of a snippet. */
interface Note {
  /** The script, as the engine names it. */
  script: string;
  id: string;
  /** The note as it is, and the object that it is in. */
  value: unknown;
  among: Record<string, unknown>;
}

/** The notes of snippets. Never throws. */
export function noted(): Note[] {
  const { _sentryDebugIds: sentry, DD_SOURCE_CODE_CONTEXT: datadog } = globalThis as Record<string, unknown>;
  const notes: Note[] = [];
  for (const from of [sentry, datadog]) {
    try {
      const among = from as Note["among"];
      for (const [stack, value] of Object.entries(among || {}).slice(0, most)) {
        const id: unknown = (value as { ddDebugId?: unknown } | null)?.ddDebugId ?? value;
        const script = scriptURL.exec(stack.slice(0, longest))?.[1];
        if (script && isDebugId(id)) notes.push({ script, id, value, among });
      }
    } catch {
      // The page has put something else there.
    }
  }
  return notes;
}

/** Collects the ids of a trace's scripts. */
export class DebugIds {
  private readonly notes = noted();
  private readonly ids = new Map<string, string>();

  /** Adds a script by the engine's name for it. Scripts that differ only in their query are one resource: if they have different ids, it has none. */
  add(script: string, ofTable?: string) {
    const id = ofTable || this.notes.find((note) => note.script === script)?.id;
    const resource = cleanURL(script);
    if (id) this.ids.set(resource, (this.ids.get(resource) ?? id) === id ? id : "");
  }

  /** Notes the ids of scripts with a query for their resources, too, which have none: SDKs look for those. */
  share() {
    for (const { script, id, value, among } of this.notes) {
      const resource = cleanURL(script);
      if (resource === script || this.ids.get(resource) !== id) continue;
      try {
        among[`Error\n    at ${resource}:1:1`] = value;
      } catch {
        // The page has frozen it.
      }
    }
  }

  /** By resource, if any has one. */
  byResource(): Record<string, string> | undefined {
    const found = [...this.ids].filter(([, id]) => id);
    return found.length > 0 ? Object.fromEntries(found) : undefined;
  }
}

/** The ids of the resources of a trace that the browser made. */
export function debugIdsOf(resources: unknown): Record<string, string> | undefined {
  const ids = new DebugIds();
  if (Array.isArray(resources)) for (const url of resources) ids.add(String(url));
  return ids.byResource();
}
