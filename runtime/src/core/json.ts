// JSON for other machines and processes. A page may give all arrays or objects a toJSON, as Prototype.js before
// 1.7 does. That method returns text, which JSON.stringify then quotes once more.
const { stringify } = JSON;
const { defineProperty, getOwnPropertyDescriptor } = Reflect;
const holders = [Array.prototype, Object.prototype];
const hidden = { value: undefined };

/** JSON.stringify, as if the page had left these prototypes alone. It restores them before it returns. */
export function writeJSON(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  const given: (PropertyDescriptor | undefined)[] = [];
  for (let i = 0; i < holders.length; i++) { // without methods of arrays, which a program may replace
    given[i] = getOwnPropertyDescriptor(holders[i], "toJSON");
    if (given[i]) defineProperty(holders[i], "toJSON", hidden);
  }
  try {
    return stringify(value, replacer);
  } finally {
    for (let i = 0; i < holders.length; i++) if (given[i]) defineProperty(holders[i], "toJSON", given[i]!);
  }
}
