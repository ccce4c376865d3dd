// The life of a page: it is hidden and shown, left, kept in the back/forward cache,
// frozen, offline. Workers have none of this.
import { on } from "./socket";

export interface Life {
  /** The page goes, for good or into the cache. */
  leave(): void;
  /** It is back from the cache. */
  come(): void;
  /** It may stop at any moment. */
  pause(): void;
  /** It was away for a while, and its connection may be dead. */
  wake(): void;
}

/** After this long hidden or frozen, in milliseconds, a connection may be dead. */
const away = 30_000;

const { document } = globalThis;
const { now: date } = Date;

export function follow({ leave, come, pause, wake }: Life) {
  if (!document) return;
  let since = date();
  const turn = () => {
    if (document.hidden) {
      since = date();
      pause();
    } else if (date() - since > away) wake();
  };
  on(document, "visibilitychange", turn, true);
  on(document, "freeze", pause, true);
  on(globalThis as unknown as EventTarget, "online", wake);
  on(globalThis as unknown as EventTarget, "pagehide", leave, true);
  on<PageTransitionEvent>(globalThis as unknown as EventTarget, "pageshow", ({ persisted }) => persisted && come(), true);
}
