// The right browser on Datadog's profiles. Its SDK calls every profile "chrome", because
// no other browser has a Profiler of its own, and beforeSend does not see profiles. Only
// the request does: a form with the event and the trace. Call this before datadogRum.init:
//
//	nameBrowser();
import { keptName } from "../core/builtin";
import { writeJSON } from "../core/json";

export interface NameOptions {
  /**
   * Also changes the event's fields `family` and `runtime`. Datadog's schema allows only
   * android, chrome and ios there; by default only its tags name the browser.
   */
  fields?: boolean;
}

type Fetch = typeof fetch;

interface ProfileEvent {
  family: string;
  runtime: string;
  tags_profiler: string;
}

/** The family of the browser by its engine; empty for Chromium, where the SDK is right. */
export function familyOf(userAgent: string): string {
  if (/\bFirefox\//.test(userAgent)) return "firefox";
  return /\bAppleWebKit\//.test(userAgent) && !/Chrom(?:e|ium)\//.test(userAgent) ? "safari" : "";
}

/** Has the SDK's profiles name the browser they come from. */
export function nameBrowser({ fields = false }: NameOptions = {}): void {
  const family = familyOf(navigator.userAgent);
  if (!family) return;
  const name = keptName("fetch"); // the SDK uses the one that Zone.js keeps
  const real = globalThis[name];
  const named: Fetch = async (input, init) => {
    const form = init?.body;
    if (form instanceof FormData && form.has("wall-time.json")) await rename(form, family, fields).catch(() => {});
    return real.call(globalThis, input, init);
  };
  Reflect.set(globalThis, name, named);
}

async function rename(form: FormData, family: string, fields: boolean): Promise<void> {
  const file = form.get("event") as File;
  const event = JSON.parse(await file.text()) as ProfileEvent;
  event.tags_profiler = event.tags_profiler.replace(/\b(runtime|family):chrome\b/g, "$1:" + family);
  if (fields) event.family = event.runtime = family;
  form.set("event", new Blob([writeJSON(event)], { type: file.type }), file.name);
}
