// Which route the page is on, and when that changes.

/** A test of paths by a glob or a RegExp. */
export function matcher(path: string | RegExp): (path: string) => boolean {
  // One that is global or sticky would remember where it was.
  const pattern = typeof path === "string" ? glob(path) : new RegExp(path.source, path.flags.replace(/[gy]/g, ""));
  return (at) => pattern.test(at);
}

/** `*` stands for anything but a slash, `**` for anything, `?` for one character but a slash. */
function glob(text: string): RegExp {
  const source = text.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    return part.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}

/** Between looks at the location where nothing tells, in milliseconds. */
const lookEvery = 1000;

/**
 * Calls back when the path may have changed. The Navigation API tells; where it
 * is missing, pushState goes unheard (the page's history is not ours to patch),
 * so the location is looked at now and then.
 */
export function follow(changed: () => void): () => void {
  const { navigation, addEventListener, removeEventListener, setInterval, clearInterval } = globalThis as typeof globalThis & { navigation?: EventTarget };
  if (navigation?.addEventListener) {
    navigation.addEventListener("currententrychange", changed);
    return () => navigation.removeEventListener("currententrychange", changed);
  }
  if (!globalThis.document) return () => {};
  addEventListener?.("popstate", changed);
  const timer = setInterval(changed, lookEvery);
  (timer as { unref?(): void }).unref?.();
  return () => {
    removeEventListener?.("popstate", changed);
    clearInterval(timer);
  };
}
