// Equal stacks are one object, and the tables forget in time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from '../../src/stacks/format';
import { Tables } from '../../src/stacks/intern';

const capture = (hidden = 0) => ({ error: new Error(), hidden, stack: null });
const both = [];
for (let i = 0; i < 2; i++) both.push(capture());
const [a, b] = both;
const c = capture();
format([a, b, null, c], true);
assert.equal(a.error, null);
assert.ok(a.stack);
assert.equal(a.stack, b.stack);
assert.notEqual(a.stack, c.stack);
assert.ok(a.stack.frame.url.endsWith('test.mjs'));
assert.equal(a.stack.frame.line > 0 && a.stack.frame.column > 0, true);

// Without lines a frame is a function where it begins, whatever of it runs.
const [d, e] = [capture(), capture()];
format([d], false);
format([e], false);
assert.equal(d.stack, e.stack);
const lines = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');
assert.match(lines[d.stack.frame.line - 1].slice(d.stack.frame.column - 1), /^\(\w+ = 0\) => /);
assert.deepEqual([d.stack.parent.frame.line, d.stack.parent.frame.column], [1, 1]);

// Hidden frames are those on top.
function outer() {
  return inner();
}
function inner() {
  return capture(2);
}
const hidden = outer();
format([hidden], true);
assert.equal(hidden.stack.frame.name, 'outer');

// The first is always formatted, then until decides.
const many = Array.from({ length: 10 }, () => capture());
format(many, true, () => true);
assert.deepEqual(many.map((m) => m.error === null).slice(0, 2), [true, false]);
let left = 5;
format(many, true, () => --left < 0);
assert.equal(many.filter((m) => m.error === null).length, 7);
format(many, true);
assert.ok(many.every((m) => m.stack === many[0].stack));

// Errors whose stack is anything at all.
const odd = [undefined, null, 7, {}, 'no stack', '', 'Error\n    at '].map((stack) => {
  const error = new Error();
  Object.defineProperty(error, 'stack', { value: stack });
  return { error, hidden: 0, stack: null };
});
const throwing = new Error();
Object.defineProperty(throwing, 'stack', { get: () => assert.fail('the page must not hear of it') });
format([...odd, { error: throwing, hidden: 0, stack: null }], true);
assert.ok(odd.every((o) => o.stack === null && o.error === null));

// A full generation is forgotten; its stacks stay what they are.
const tables = new Tables();
const frame = (i) => tables.frame({ url: 'a.js', line: i, column: 1, name: 'f' });
const first = tables.stack([frame(1), frame(2)]);
assert.equal(tables.stack([frame(1), frame(2)]), first);
for (let i = 0; i <= 50_000; i++) frame(i);
tables.renew();
const again = tables.stack([frame(1), frame(2)]);
assert.notEqual(again, first);
assert.deepEqual([first.frame.line, first.parent.frame.line, first.parent.parent], [1, 2, null]);
assert.equal(tables.stack([frame(1), frame(2)]), again);
for (let i = 0; i <= 50_000; i++) tables.stack([frame(i % 100), frame(Math.floor(i / 100))]);
tables.renew();
const third = tables.stack([frame(1), frame(2)]);
assert.notEqual(third, again);
assert.equal(third.frame, again.frame);
