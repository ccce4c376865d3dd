// A console prints what Node's does, to the same stream.
import assert from 'node:assert/strict';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { methods } from '../../src/run/console';

type Method = Exclude<keyof ReturnType<typeof methods>, 'profile' | 'profileEnd' | 'timeStamp'>;

let printed = '';
const stream = (number: number) => new Writable({
  write(text, _encoding, done) {
    for (const line of new TextDecoder().decode(text).replace(/\n$/, '').split('\n')) printed += `${number} ${line}\n`;
    done();
  },
});
const nodes = new Console({ stdout: stream(1), stderr: stream(2) });
let time = 0;
const ours = methods((number, text) => (printed += text.replace(/^/gm, `${number} `) + '\n'), () => time);

/** Cells are centred in older versions of Node. */
const even = (text: string) => text.replace(/^(\d +)│.*$/gm, (line) => line.replace(/ +/g, ' '));
const said = (act: () => void) => {
  printed = '';
  act();
  return even(printed);
};
const same = (method: Method, ...values: unknown[]) => {
  const act = (on: unknown) => said(() => (on as Record<string, (...values: unknown[]) => void>)[method](...values));
  assert.equal(act(ours), act(nodes), `${method} ${String(values.length && typeof values[0])}`);
};

class Point {
  constructor(readonly x: number, readonly y: number) {}
}
const tables: unknown[] = [
  [], {}, [1, 'a', null, undefined, -0, 5n], [[1, 2], [3, 4, 5]], [{ a: 1, b: 'two' }, { b: 3, c: { d: 4 } }, { e: 'x'.repeat(99) }],
  [{ a: 1 }, 7, [8], { 2: 'key', 1: 'first' }], { first: { x: 1 }, second: 2, third: () => 3 }, new Map<unknown, unknown>([['k', { v: 1 }], [{ a: 1, b: 2, c: 3 }, [1, 2, 3, 4, 5]]]),
  new Set(['a', { b: [1] }]), new Map(), [new Point(1, 2), new Point(3, 4)], [new Map([[1, 2]]), new Set([1, 2, 3, 4])], [{ a: [{ deep: [1] }] }, { a: { deep: {} } }],
  ['漢字', 'é', '한글'], [Object.create(null)], 'text', 5, null, undefined, () => {}, Symbol('s'), new Uint8Array(3),
];
for (const value of tables) same('table', value);
same('table', [{ a: 1, b: 2 }, { b: 3 }, 4], ['b', 'missing']);
same('table', [{ a: 1 }], []);
assert.throws(() => ours.table([], 'a' as never), TypeError);

const nested = { a: { b: { c: { d: { e: 1 } } } } };
for (const value of ['d', 5, nested, [1, ['x']], undefined]) {
  for (const options of [undefined, {}, { depth: 0 }, { depth: 3 }, { depth: null }]) same('dir', value, options);
}
for (const values of [[true], [false], [0, 7], [0, 'not %s', 'so'], [0, { a: 1 }, 'b'], [], [null, undefined], [1, 'no']]) same('assert', ...values);
for (const label of [undefined, 'a', undefined, 5, null, 'a', 'default']) same('count', label);
same('countReset');
same('count');
for (const method of ['log', 'info', 'debug', 'warn', 'error', 'dirxml'] as const) same(method, '%s of %o', 'x', { y: 1 }, 'more');
same('group', 'outer %d', 1);
same('log', 'two\nlines', { a: 'x'.repeat(70), b: 1 });
same('groupCollapsed');
same('table', [[1]]);
same('dir', { a: 'x'.repeat(60), b: { c: 1 } });
same('warn', 'deep');
same('groupEnd');
same('assert', false, 'in\nlines');
same('groupEnd');
same('groupEnd');
same('log', 'out');

// Times, as far as Node's do not depend on the clock.
const shown = (ms: number) => said(() => {
  ours.time('t');
  time += ms;
  ours.timeEnd('t');
});
for (const [ms, text] of [[0, '0ms'], [1.5, '1.5ms'], [2.34567, '2.346ms'], [1500, '1.500s'], [62_003.4, '1:02.003 (m:ss.mmm)'], [3_725_004, '1:02:05.004 (h:mm:ss.mmm)']] as const) {
  time = 0;
  assert.equal(shown(ms), `1 t: ${text}\n`);
}
const timed = (on: Pick<typeof ours, 'time' | 'timeLog' | 'timeEnd'>) => said(() => {
  on.time();
  on.timeLog('default', { a: 1 }, 'more %s', 2);
  on.timeEnd();
}).replace(/: [\d.:]+(?:ms|s| \([hms:.]+\))/g, ': TIME');
assert.equal(timed(ours), timed(nodes as unknown as typeof ours));
assert.equal(said(() => {
  ours.timeEnd('never');
  ours.time('twice');
  ours.time('twice');
  ours.countReset('never');
}), "2 Warning: No such label 'never' for console.timeEnd()\n2 Warning: Label 'twice' already exists for console.time()\n2 Warning: Count for 'never' does not exist\n");
