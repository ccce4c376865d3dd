// Globals of a page, as a test wants them.

/** Defines or replaces globals. */
export function define(values: object) {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** A Navigation API that the test has to drive. */
export const navigationAPI = () => Object.defineProperty(new EventTarget(), Symbol.toStringTag, { value: 'Navigation' });
