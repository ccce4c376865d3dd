// Where traces are made, a page's scripts have taken names: its own scripts are still shown, and no others.
import assert from "node:assert/strict";
import { define } from "../globals";

const fake = (entries: object[]) => ({ getEntriesByName: () => [], getEntriesByType: () => entries });
const own = "https://a.example";
const frame = { location: { href: `${own}/frame` }, document: { scripts: [] }, performance: fake([{ name: `${own}/frame.js`, initiatorType: "script" }]) };
const window = { location: { href: own }, document: { scripts: [] }, performance: {}, length: 1, 0: frame };
define({ window, document: window.document, location: new URL(`${own}/page`), performance: fake([]), origin: own });
const { Origins } = await import("../../src/trace/origins");

for (const origin of [own, "Zurich", { x: 0, y: 0 }, undefined]) {
  define({ origin });
  const origins = new Origins();
  const shown = ["a.js", "frame.js"].map((name) => origins.shows(`${own}/${name}`, false));
  assert.deepEqual(shown, [true, false], String(origin));
  assert.equal(origins.shows("https://b.example/b.js", false), false);
}
define({ origin: "null" }); // a sandbox
assert.equal(new Origins().shows(`${own}/a.js`, false), false);
