// Which session this is, and whether it is one of those that are profiled. A
// session is what sessionStorage spans: a tab, from page to page. Without the
// storage it is one page.

const key = "fieldprof.session";

export interface Session {
  readonly id: string;
  /** This one page of it. */
  readonly view: string;
  /** A number from 0 up to 1 that is the session's own: it is in where the rate is higher. */
  readonly draw: number;
  /** Bytes that were sent for it. */
  bytes: number;
  /** Remembers the bytes for the next page. */
  save(): void;
  /** Takes note of what other pages of the session sent while this one was away. */
  renew(): void;
}

/** The session at hand, as far as the seed goes. Never throws. */
export function openSession(seed: string): Session {
  const kept = load();
  const session: Session = {
    id: kept?.id || makeID(),
    view: makeID(),
    draw: 0,
    bytes: kept?.bytes || 0,
    save() {
      try {
        sessionStorage.setItem(key, JSON.stringify({ id: session.id, bytes: session.bytes }));
      } catch {
        // Full, or not to be had.
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
    // None, or not ours.
  }
  return undefined;
}

/** 128 bits, as hexadecimal digits. */
function makeID(): string {
  const words = new Uint32Array(4);
  try {
    crypto.getRandomValues(words);
  } catch {
    words.forEach((_, i) => (words[i] = Math.random() * 2 ** 32));
  }
  return Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** 32 bits: FNV-1a with the mixing step of MurmurHash3. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
