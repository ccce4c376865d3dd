// The route that the page is on, and when it changes.
import { navigationAPI } from "../core/builtin";
import { cancel, idly } from "../core/timers";

/** A test of paths by a glob or a RegExp. */
export function matcher(path: string | RegExp): (path: string) => boolean {
  // A global or sticky RegExp would remember its last index.
  const pattern = typeof path === "string" ? glob(path) : new RegExp(path.source, path.flags.replace(/[gy]/g, ""));
  return (at) => pattern.test(at);
}

/** `*` matches anything but a slash, `**` anything, `?` one character other than a slash. */
function glob(text: string): RegExp {
  const source = text.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    return part.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}

/** How often to look at the location if no event tells, in milliseconds. */
const lookEvery = 1000;

/**
 * Calls back when the path may have changed. The Navigation API tells; without it,
 * pushState makes no event (the page's history is not ours to patch), so the location is
 * polled.
 */
export function follow(changed: () => void): () => void {
  const { addEventListener, removeEventListener } = globalThis;
  const navigation = navigationAPI();
  if (navigation) {
    navigation.addEventListener("currententrychange", changed);
    return () => navigation.removeEventListener("currententrychange", changed);
  }
  if (!globalThis.document) return () => {};
  addEventListener?.("popstate", changed);
  const look = () => {
    timer = idly(look, lookEvery);
    changed();
  };
  let timer = idly(look, lookEvery);
  return () => {
    removeEventListener?.("popstate", changed);
    cancel(timer);
  };
}
