// A file that could not be loaded is asked for under another URL, one of ten; one that was is not asked for again.
import assert from "node:assert/strict";

const page = new EventTarget();
globalThis.addEventListener = page.addEventListener.bind(page) as typeof addEventListener;
const { loadParts, setLoader } = await import("../../src/recording/parts");

const asked: string[] = [];
let fails = true;
setLoader(async (again) => {
  asked.push(again);
  if (fails) throw new TypeError("no network");
  return {} as never;
});
for (let i = 0; i < 30; i++) await loadParts().then(() => assert.fail(), () => {}); // prettier-ignore
assert.equal(new Set(asked).size, 10);
assert.deepEqual(asked.slice(0, 3), ["", "?", "??"]);

fails = false;
const parts = await loadParts();
const last = asked.at(-1);
page.dispatchEvent(new Event("pageshow"));
await null;
assert.deepEqual([new Set(asked.slice(31)), await loadParts()], [new Set([last]), parts]);
