// The page's load, and the routes it shows after it. Nothing of the page's is patched: the
// Navigation API tells where there is one, elsewhere popstate and hashchange.
import { builtin, navigationAPI } from "../core/builtin";
import { later } from "../core/timers";
import { guarded, now } from "./guard";
import { observeEntries, reports, type Rate, type Source } from "./entries";
import { plain, tidy, type See } from "./found";

interface SoftNavigation extends PerformanceEntry {
  presentationTime?: number;
  paintTime?: number;
}

const addEventListener = builtin("addEventListener")!;
const removeEventListener = builtin("removeEventListener")!;
const requestAnimationFrame = builtin("requestAnimationFrame")!;
const MessageChannel = builtin("MessageChannel")!;
const document = builtin("document");
const navigation = navigationAPI();

/** A path without query, of a URL or of the page. */
function pathOf(url?: unknown): string {
  try {
    return plain(url ? new URL(String(url), location.href).pathname : location.pathname);
  } catch {
    return "";
  }
}

/** Reports the load once it has ended. */
export function followLoad(see: See): Source[] {
  if (!document) return [];
  let ended = false;
  const tell = guarded(() => {
    if (ended) return;
    const [entry] = performance.getEntriesByType("navigation") as (PerformanceNavigationTiming & { activationStart?: number })[];
    const time = entry.activationStart ?? 0;
    if (entry.loadEventEnd > 0) see(tidy({ what: "load", name: pathOf(), detail: entry.type, time, duration: Math.max(0, entry.loadEventEnd - time) }));
  });
  const heard = () => later(tell); // after the event's handlers
  if (document.readyState === "complete") heard();
  else addEventListener("load", heard);
  return [
    {
      end() {
        ended = true;
        removeEventListener("load", heard);
      },
    },
  ];
}

/** Reports route changes: from their event to the picture after what the page did for them. */
export function followRoutes(rate: Rate, see: See): Source[] {
  const soft = observeEntries<SoftNavigation>("soft-navigation", ({ name, startTime: time, duration, presentationTime, paintTime }) => {
    const end = presentationTime || paintTime || time + duration;
    see(tidy({ what: "navigation", name: pathOf(name), time, duration: Math.max(0, end - time) }));
  });
  const sources = soft ? [soft] : [];
  if (!document || !requestAnimationFrame || reports("soft-navigation")) return sources;
  const { port1, port2 } = new MessageChannel();
  let began = NaN;
  port1.onmessage = guarded(() => {
    if (began >= 0) see(tidy({ what: "navigation", name: pathOf(), time: began, duration: now() - began }));
    began = NaN;
  });
  const begin = guarded((event: Event) => {
    if (event.isTrusted && rate.admits(now())) began = +event.timeStamp;
  });
  const end = guarded(() => requestAnimationFrame(() => port2.postMessage(0)));
  const both = (event: Event) => {
    if (!(began >= 0)) begin(event);
    end();
  };
  const hear: [EventTarget, string, (event: Event) => void][] = navigation
    ? [[navigation, "navigate", begin], [navigation, "navigatesuccess", end]] // prettier-ignore
    : [[globalThis, "popstate", both], [globalThis, "hashchange", both]]; // prettier-ignore
  for (const [target, type, listener] of hear) target.addEventListener(type, listener);
  return [
    ...sources,
    {
      end() {
        for (const [target, type, listener] of hear) target.removeEventListener(type, listener);
        port1.close();
      },
    },
  ];
}
