// Values look as in Node's console: Node says how.
import assert from 'node:assert/strict';
import { format as nodes } from 'node:util';
import { format } from '../../src/run/inspect';

let seed = 7;
const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
const pick = <T>(list: readonly T[]): T => list[random(list.length)];

class Point {
  x = 1;
  constructor(readonly y: unknown) {}
}
class Line extends Point {
  get length() {
    return 2;
  }
}
class Few extends Array {}
const words = ['a', 'it\'s', 'two\nlines', 'x'.repeat(30), '"both\' `', 'tab\t\\', '\u001b[31m', 'é', ''];
const plain: (() => unknown)[] = [
  () => random(1000), () => -0, () => random(10) / 3, () => 1e21, () => NaN, () => pick(words), () => true, () => null, () => undefined,
  () => BigInt(random(99)), () => Symbol('s'), () => new Date(1e12), () => new Date(NaN), () => /a\/b/gi,
  () => function named() {}, () => () => {}, () => class {}, () => Line, () => async () => {}, () => new Number(3), () => new String('boxed'), () => new Boolean(false),
  () => new Uint8Array(random(9)), () => new WeakMap(), () => Object.assign(() => {}, { extra: 1 }),
];
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const keys = ['a', 'key', 'with space', 'a-b', '_', 'longer_key_name', '1', Symbol('k')];

function value(depth: number): unknown {
  if (depth === 0 || random(4) === 0) return pick(plain)();
  const inner = () => value(depth - 1);
  switch (random(12)) {
    case 0: return times(random(5), inner);
    case 1: return times(random(130), () => random(10 ** random(6)));
    case 2: return times(random(30), () => pick(words));
    case 3: return new Map(times(random(4), () => [inner(), inner()]));
    case 4: return new Set(times(random(5), inner));
    case 5: return new Point(inner());
    case 6: return new Line(inner());
    case 7: return Object.assign(Object.create(null), { a: inner() });
    case 8: return Few.from(times(random(4), inner));
    case 9: {
      const holes = times(6, inner);
      for (let i = random(3); i < 6; i += 1 + random(2)) delete holes[i];
      return holes;
    }
    case 10: {
      const list = Object.assign(times(random(4), inner), { also: inner() });
      return list;
    }
  }
  const object: Record<string | symbol, unknown> = {};
  for (let i = random(6); i > 0; i--) object[pick(keys)] = inner();
  if (random(6) === 0) Object.defineProperty(object, 'got', { get: () => 1, enumerable: true });
  if (random(8) === 0) object.self = object;
  return object;
}

let same = 0;
for (let i = 0; i < 20_000; i++) {
  const given = [value(1 + random(4))];
  assert.equal(format(given), nodes(...given));
  same++;
}
const marks = ['%s', '%d', '%i', '%f', '%j', '%O', '%c', '%%', '%x', '%', 'text '];
const simple = [...plain.slice(0, 10), () => ({ a: { b: { c: {} } } }), () => [1, [2, [3, [4]]]], () => new Point(1), () => ({ toString: () => 'own' }), () => new Date(0)];
for (let i = 0; i < 20_000; i++) {
  const given = [times(random(4), () => pick(marks)).join(''), ...times(random(4), () => pick(simple)())];
  if (String(given[0]).includes('%j') && given.some((v) => typeof v === 'bigint')) continue; // which is an error there
  assert.equal(format(given), nodes(...given), `format ${JSON.stringify(given[0])}`);
  same++;
}
assert.ok(same > 30_000);
