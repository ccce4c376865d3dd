// Whether the page is there: shown, hidden, about to go, back again. A page
// that may return from the back/forward cache has no unload; hiding is the last
// that is sure to be heard.

export interface Presence {
  /** The page is hidden or goes: what is to be sent must be on its way when this returns. */
  leave(): void;
  /** It is shown, or shown again. */
  come(): void;
}

export function isShown(): boolean {
  const { document } = globalThis;
  return !document || document.visibilityState !== "hidden";
}

/** Watches until what it returns is called. */
export function watch({ leave, come }: Presence): () => void {
  const { document, addEventListener, removeEventListener } = globalThis;
  if (!document || !addEventListener) return () => {};
  const turn = () => (isShown() ? come() : leave());
  const returned = (event: PageTransitionEvent) => {
    if (event.persisted) turn();
  };
  document.addEventListener("visibilitychange", turn, true);
  document.addEventListener("freeze", leave, true);
  addEventListener("pagehide", leave, true);
  addEventListener("pageshow", returned, true);
  return () => {
    document.removeEventListener("visibilitychange", turn, true);
    document.removeEventListener("freeze", leave, true);
    removeEventListener("pagehide", leave, true);
    removeEventListener("pageshow", returned, true);
  };
}

interface Connection extends EventTarget {
  saveData?: boolean;
  effectiveType?: string;
}

const connection = (globalThis.navigator as { connection?: Connection } | undefined)?.connection;

/** Whether data is too dear: the user saves it, or the network is of the second generation. */
export function isDear(): boolean {
  return !!connection && (connection.saveData === true || /2g$/.test(String(connection.effectiveType)));
}

/** Calls back when the network changes. */
export function watchNetwork(changed: () => void, back: () => void): () => void {
  connection?.addEventListener?.("change", changed);
  globalThis.addEventListener?.("online", back);
  return () => {
    connection?.removeEventListener?.("change", changed);
    globalThis.removeEventListener?.("online", back);
  };
}
