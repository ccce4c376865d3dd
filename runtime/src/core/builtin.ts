// Globals as the browser has them. A page may replace whatever it likes before this is
// loaded; and Zone.js, which Angular loads, does: a timer of its own that always waits keeps
// an application from ever being stable, and whenever one fires, all of the page is checked
// for changes. It keeps the browser's under names that it tells.

type Globals = typeof globalThis;

/** A global as it is now; undefined if it is missing, or must not be read. */
export function builtin<K extends keyof Globals>(name: K): Globals[K] | undefined {
  try {
    return globalThis[kept(name)] || globalThis[name];
  } catch {
    return undefined;
  }
}

/** The name under which Zone.js keeps a global. */
function kept<K extends keyof Globals>(name: K): K {
  try {
    return (globalThis as { Zone?: { __symbol__(name: string): string } }).Zone!.__symbol__(name) as K;
  } catch {
    return name;
  }
}
