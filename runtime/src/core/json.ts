// JSON for other machines. A page may give all arrays or objects a toJSON, as Prototype.js before
// 1.7 does. That method returns text, which JSON.stringify then quotes once more.
const { stringify } = JSON;
const { defineProperty, getOwnPropertyDescriptor } = Reflect;
const holders = [Array.prototype, Object.prototype];

/** JSON.stringify, as if the page had left these prototypes alone. It restores them before it returns. */
export function writeJSON(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  const given = holders.map((holder) => getOwnPropertyDescriptor(holder, "toJSON"));
  const put = (of: (own: PropertyDescriptor) => PropertyDescriptor) => given.forEach((own, i) => own && defineProperty(holders[i], "toJSON", of(own)));
  put(() => ({ value: undefined }));
  try {
    return stringify(value, replacer);
  } finally {
    put((own) => own);
  }
}
