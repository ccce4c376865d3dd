// Notes of build tools' snippets, and what pages put in their place.
import assert from 'node:assert/strict';
import { DebugIds, debugIdsOf, isDebugId, noted } from '../../src/trace/debugids';

const id = '85314830-023f-4cf1-a267-535f4e37bb17';
const site = 'https://example.com';
const inV8 = (url) => `Error\n    at ${url}:1:300\n    at ${site}/later.js:1:2`;

Object.assign(globalThis, {
  _sentryDebugIds: {
    [inV8(`${site}/a.js`)]: id,
    [inV8(`${site}/v.js?v=1`)]: 'aa',
    [inV8(`${site}/v.js?v=2`)]: 'bb',
    [inV8(`${site}/evil.js`)]: '<script>',
    [inV8(`${site}/odd.js`)]: { toString: () => id },
    [`n@${site}/firefox.js:2:3\n@${site}/later.js:1:2\n`]: 'd1',
    [`global code@${site}/a@b (1).js:2:3`]: 'd2',
    [`${site}/safari.js:2:3\n@${site}/later.js:1:2`]: 'd3',
    [`Error\n    at eval (eval at f (${site}/eval.js:1:2), <anonymous>:3:4)`]: id,
    nonsense: id,
    '': id,
    [`Error: ${'x'.repeat(1e6)}`]: id,
  },
  DD_SOURCE_CODE_CONTEXT: {
    [`Error\n    at notes (${site}/d.js:1:9)\n    at ${site}/d.js:1:2`]: { service: 'shop', ddDebugId: id },
    [inV8(`${site}/a.js`)]: { ddDebugId: 'cc' },
    [inV8(`${site}/none.js`)]: { service: 'shop' },
    [inV8(`${site}/null.js`)]: null,
  },
});
assert.deepEqual(noted().map(({ script, id }) => [script, id]), [[`${site}/a.js`, id], [`${site}/v.js?v=1`, 'aa'], [`${site}/v.js?v=2`, 'bb'],
  [`${site}/firefox.js`, 'd1'], [`${site}/a@b (1).js`, 'd2'], [`${site}/safari.js`, 'd3'], [`${site}/eval.js:1:2), <anonymous>`, id], [`${site}/d.js`, id], [`${site}/a.js`, 'cc']]);

// A resource has no query; ids that differ say nothing.
assert.deepEqual(debugIdsOf([`${site}/a.js`, `${site}/v.js?v=1`, `${site}/x.js`]), { [`${site}/a.js`]: id, [`${site}/v.js`]: 'aa' });
assert.deepEqual(debugIdsOf([`${site}/v.js?v=1`, `${site}/v.js?v=2`, `${site}/v.js?v=1`]), undefined);
assert.equal(debugIdsOf(undefined), undefined);

// SDKs look for resources: they find the ids of scripts with a query, unless two differ.
const { _sentryDebugIds: notes } = globalThis;
for (const [queries, found] of [[['1', '2'], undefined], [['1'], 'aa']]) {
  const ids = new DebugIds();
  for (const query of queries) ids.add(`${site}/v.js?v=${query}`);
  ids.share();
  assert.equal(notes[`Error\n    at ${site}/v.js:1:1`], found);
}
Object.freeze(notes);
new DebugIds().share();

// The table of the script knows better.
const ids = new DebugIds();
ids.add(`${site}/a.js`, 'dd');
ids.add('__proto__', 'ee');
assert.equal(JSON.stringify(ids.byResource()), `{"${site}/a.js":"dd","__proto__":"ee"}`);

for (const notes of [7, 'text', [id], new Proxy({}, { ownKeys: () => { throw Error(); } })]) {
  Object.assign(globalThis, { _sentryDebugIds: notes, DD_SOURCE_CODE_CONTEXT: undefined });
  assert.equal(noted().length, 0);
}
const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [inV8(`${site}/${i}.js`), id]));
Object.assign(globalThis, { _sentryDebugIds: many });
assert.equal(noted().length, 1000);

assert.deepEqual([id, 'AB', '', 'x', 7, null, 'a'.repeat(65)].map(isDebugId), [true, true, false, false, false, false, false]);
