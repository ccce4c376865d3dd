// Globals as the browser has them. A page may replace whatever it likes before this is
// loaded; and Zone.js, which Angular loads, does: a timer of its own that always waits keeps
// an application from ever being stable, and whenever one fires, all of the page is checked
// for changes. It keeps the browser's under names that it tells.

type Globals = typeof globalThis;

/** A global as it is now; undefined if it is missing, or must not be read. */
export function builtin<K extends keyof Globals>(name: K): Globals[K] | undefined {
  try {
    return globalThis[keptName(name)];
  } catch {
    return undefined;
  }
}

/** The Navigation API, if the browser has it, and not what an element or a script of the page gave its name. */
export function navigationAPI(): EventTarget | undefined {
  const found = builtin("navigation" as "document") as EventTarget | undefined;
  return Object.prototype.toString.call(found) === "[object Navigation]" ? found : undefined;
}

/** The name under which the browser's global is: Zone.js's for it, or its own. */
export function keptName<K extends keyof Globals>(name: K): K {
  try {
    const kept = (globalThis as { Zone?: { __symbol__(name: string): string } }).Zone!.__symbol__(name) as K;
    return globalThis[kept] ? kept : name;
  } catch {
    return name;
  }
}
