// Globals of a page, as tests of sending want them.

/** Defines or replaces globals. */
export function define(values: object) {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
