// Identifies the session, and decides whether it is profiled. A session is what
// sessionStorage spans: a tab, from page to page; without the storage, one page.
import { makeID } from "../core/identity";

const key = "fieldprof.session";

export interface Session {
  readonly id: string;
  /** The id of this page in the session. */
  readonly view: string;
  /** The session's own number in [0, 1): it is profiled if the rate is higher. */
  readonly draw: number;
  /** Whether an earlier page has stored it. */
  readonly kept: boolean;
  /** How many bytes the session has sent. */
  bytes: number;
  /** Remembers the id and the bytes for the next page. */
  save(): void;
  /** Adds what other pages of the session sent while this one was away. */
  renew(): void;
}

/** Opens the current session; the seed determines its draw. Never throws. */
export function openSession(seed: string): Session {
  const kept = load();
  const session: Session = {
    id: kept?.id || makeID(),
    view: makeID(),
    kept: !!kept,
    draw: 0,
    bytes: kept?.bytes || 0,
    save() {
      session.renew();
      try {
        sessionStorage.setItem(key, JSON.stringify({ id: session.id, bytes: session.bytes }));
      } catch {
        // The storage is full or unavailable.
      }
    },
    renew() {
      const now = load();
      if (now?.id === session.id) session.bytes = Math.max(session.bytes, now.bytes);
    },
  };
  return Object.assign(session, { draw: hash(`${seed}\n${session.id}`) / 2 ** 32 });
}

function load(): { id: string; bytes: number } | undefined {
  try {
    const { id, bytes } = JSON.parse(sessionStorage.getItem(key)!);
    if (/^[\w-]{8,64}$/.test(id)) return { id, bytes: bytes >= 0 ? +bytes : 0 };
  } catch {
    // There is none, or it is not ours.
  }
  return undefined;
}

/** 32 bits: FNV-1a with the mixing step of MurmurHash3. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
