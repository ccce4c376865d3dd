// Whether the page is present: shown, hidden, about to go, back again. A page that may
// return from the back/forward cache has no unload event; hiding is the last event that
// is certain.

export interface Presence {
  /** The page is hidden or going: everything to be sent must be on its way when this returns. */
  leave(): void;
  /** The page is shown, possibly again. */
  come(): void;
}

export function isShown(): boolean {
  const { document } = globalThis;
  return !document || document.visibilityState !== "hidden";
}

/** Watches until the returned function is called. */
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

/** Whether data is expensive: the user saves it, or the network is 2G. */
export function isDear(): boolean {
  return !!connection && (connection.saveData === true || /2g$/.test(String(connection.effectiveType)));
}

/** Whether there is no network. */
export function isOffline(): boolean {
  return globalThis.navigator?.onLine === false;
}

/** Calls back when the network changes, and when it is back. */
export function watchNetwork(changed: () => void, back: () => void): () => void {
  connection?.addEventListener?.("change", changed);
  globalThis.addEventListener?.("online", back);
  return () => {
    connection?.removeEventListener?.("change", changed);
    globalThis.removeEventListener?.("online", back);
  };
}
