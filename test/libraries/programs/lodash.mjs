// Calls every function of lodash with values of every kind.
import _ from 'lodash';
import { attempt, digest, numbers } from './digest.mjs';

const next = numbers(7);
const unfit = new Set(['now', 'random', 'sample', 'sampleSize', 'shuffle', 'delay', 'defer', 'debounce', 'throttle', 'uniqueId', 'runInContext', 'noConflict', 'mixin', 'attempt', 'template', 'range', 'rangeRight', 'times', 'repeat', 'pad', 'padStart', 'padEnd', 'fill', 'bindAll', 'extend', 'assign', 'assignIn', 'merge', 'defaults', 'defaultsDeep', 'set', 'update', 'setWith', 'updateWith', 'unset', 'pull', 'pullAll', 'pullAllBy', 'pullAllWith', 'pullAt', 'remove']);
const values = () => [undefined, null, 0, -1.5, NaN, 'a b-c_dÉ', '', [3, 1, 2, [4, [5]]], [{ a: 1, b: 'x' }, { a: 2, b: 'y' }, { a: 1, b: 'z' }], { a: { b: [1, 2] }, c: 3 }, (x) => x, (a, b) => (a > b ? 1 : -1), /x/g, new Date(0), new Map([[1, 2]]), new Set([1]), 'a', ['a', 'c'], true, new Uint8Array(3), Object(1)];
const count = values().length;

let called = 0;
for (const name of _.functionsIn(_).sort()) {
  if (unfit.has(name)) continue;
  const results = [];
  for (let i = 0; i < 60; i++) {
    const args = Array.from({ length: 1 + next(3) }, () => values()[next(count)]);
    results.push(describe(attempt(() => _[name](...args))));
    called++;
  }
  console.log(name, digest(results));
}
console.log('calls', called);
console.log(_([1, 2, 3, 4]).chain().filter((x) => x % 2).map((x) => x * x).tap((a) => a.push(9)).groupBy((x) => x > 5).mapValues('length').value());
console.log(_.template('<% _.forEach(list, function(x) { %><%- x %>,<% }) %>${ list.length }')({ list: ['<', '&'] }));
console.log(_.merge({ a: [{ b: 1 }] }, { a: [{ c: 2 }, 3] }), _.set({}, 'a[0].b', 1), _.curry((a, b, c) => a + b + c)(1)(2, 3));

function describe(value) {
  if (typeof value === 'function') return `function/${value.length}`;
  return attempt(() => JSON.stringify(value, (_key, v) => (typeof v === 'function' ? `function/${v.length}` : Object.is(v, -0) ? '-0' : typeof v === 'number' && !Number.isFinite(v) ? String(v) : v)) ?? String(value));
}
