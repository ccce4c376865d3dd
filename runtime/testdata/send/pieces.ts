// Routes, sessions and envelopes by themselves.
import assert from 'node:assert/strict';
import type { ProfilerTrace } from '../../src/recording/parts';
import { pack, seal, type Envelope } from '../../src/send/envelope';
import { settle } from '../../src/send/options';
import { portion } from '../../src/send/portion';
import { matcher } from '../../src/send/routes';
import { hash, openSession } from '../../src/send/session';

for (const [glob, fits, fails] of [
  ['/', ['/'], ['', '/a']],
  ['/a/*', ['/a/', '/a/b'], ['/a', '/a/b/c', '/b/a/x']],
  ['/a/**', ['/a/', '/a/b/c'], ['/a', '/x/a/']],
  ['/**/edit', ['/a/b/edit'], ['/edit/x', '/a/b/editor']],
  ['/v?/x.html', ['/v1/x.html'], ['/v/x.html', '/v12/x.html', '/v1/x-html']],
  ['/(a|b)+[c]$', ['/(a|b)+[c]$'], ['/a']],
  ['**', ['', '/any/thing\nelse'], []],
] as [string, string[], string[]][]) {
  for (const path of fits) assert.ok(matcher(glob)(path), `${glob} does not fit ${path}`);
  for (const path of fails) assert.ok(!matcher(glob)(path), `${glob} fits ${path}`);
}
const sticky = matcher(/x/gy);
assert.ok(sticky('x') && sticky('x'), 'a global pattern forgets where it was');

// --- sessions ----------------------------------------------------------------

const store = new Map<string, string>();
const storage = {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, value: string) => void store.set(key, value),
};
const provide = (value: unknown) => Object.defineProperty(globalThis, 'sessionStorage', { value, configurable: true });

provide(storage);
const first = openSession('seed');
assert.equal(store.size, 0, 'nothing is stored before it may be');
first.bytes = 77;
first.save();
const second = openSession('seed');
assert.deepEqual([second.id, second.bytes, second.draw], [first.id, 77, first.draw], 'a session keeps its choice');
assert.notEqual(second.view, first.view);
assert.notEqual(openSession('another').draw, first.draw);
for (const odd of ['', '{', 'null', '{"id":7}', '{"id":"<script>alert(1)</script>"}', '{"id":"short"}']) {
  store.set('fieldprof.session', odd);
  assert.notEqual(openSession('').id, openSession('').id, `${odd} is no session`);
}
store.set('fieldprof.session', JSON.stringify({ id: 'a'.repeat(32), bytes: 'many' }));
assert.equal(openSession('').bytes, 0);
provide(undefined);
openSession('').save();
provide({ getItem() { throw new Error('forbidden') }, setItem() { throw new Error('full') } });
openSession('').save();

// One in a hundred is one in a hundred, whatever the seed.
for (const seed of ['', 'x', '2026']) {
  let chosen = 0;
  for (let i = 0; i < 100_000; i++) if (hash(`${seed}\n${i.toString(16).padStart(32, '0')}`) / 2 ** 32 < 0.01) chosen++;
  assert.ok(chosen > 880 && chosen < 1120, `${chosen} of 100,000 sessions at 1 %`);
}

// --- options -----------------------------------------------------------------

const url = 'https://collect.example/profiles';
const { rateOf, highest } = settle({ url, sampleRate: 0.01, routes: [{ path: '/shop/**', sampleRate: 0.5 }, { path: /^\/a/, sampleRate: 7, name: 'a' }, { path: '/shop/pay', sampleRate: 1 }] });
assert.deepEqual([rateOf('/shop/pay').rate, rateOf('/shop/pay').route], [0.5, '/shop/**'], 'the first that fits');
assert.deepEqual([rateOf('/about').rate, rateOf('/about').route], [1, 'a'], 'no more than all');
assert.deepEqual(rateOf('/'), { rate: 0.01 });
assert.equal(highest, 1);
for (const odd of [NaN, -1, '1', null]) assert.equal(settle({ url, sampleRate: odd as number }).rateOf('/').rate, 0, `the rate ${odd}`);
for (const odd of ['', 'file:///etc', 'javascript:1', undefined]) assert.throws(() => settle({ url: odd as string }), `the url ${odd}`);
assert.deepEqual([settle({ url }).sameOrigin, settle({ url }).compress], [false, false]);

// --- envelopes ---------------------------------------------------------------

/** A trace of distinct stacks that share their outermost frame. */
function makeTrace(samples: number): ProfilerTrace {
  const trace: ProfilerTrace = { resources: ['a.js', 'b.js'], frames: [{ name: 'main', resourceId: 0, line: 1, column: 1 }], stacks: [{ frameId: 0 }], samples: [] };
  for (let i = 0; i < samples; i++) {
    trace.frames.push({ name: `ƒ${i}`, resourceId: i % 2, line: i + 2, column: 3 });
    trace.stacks.push({ frameId: i + 1, parentId: 0 });
    trace.samples.push({ timestamp: i }, { timestamp: i + 0.5, stackId: i + 1 });
  }
  return trace;
}

/** The content of a trace, with nothing left to look up. */
const spell = (trace: ProfilerTrace) =>
  trace.samples.map(({ timestamp, stackId }) => {
    const names: string[] = [];
    for (let id = stackId; id !== undefined; id = trace.stacks[id].parentId) {
      const { name, resourceId, line } = trace.frames[trace.stacks[id].frameId];
      names.push(`${name} ${trace.resources[resourceId!]}:${line}`);
    }
    return [timestamp, ...names];
  });

const trace = makeTrace(300);
const piece = portion(trace, 100, 103);
assert.deepEqual(spell(piece), spell(trace).slice(100, 103));
assert.deepEqual([piece.frames.length, piece.stacks.length, piece.resources.length], [2, 2, 1], 'and nothing else');
for (let i = 0; i < piece.stacks.length; i++) assert.ok(!(piece.stacks[i].parentId! >= i), 'parents come first');

const envelope: Envelope = { version: 1, session: 's', view: 'v', page: 'https://a.example/', rate: 1, chunk: 3, started: 1, origin: 0, notes: ['lost'], trace };
assert.equal(pack(envelope, 1e6).letters.length, 1);
assert.equal('part' in JSON.parse(pack(envelope, 1e6).letters[0].text), false);
const { letters, dropped } = pack(envelope, 3000);
assert.equal(dropped, 0);
const parts = letters.map(({ text, bytes }) => {
  assert.equal(new TextEncoder().encode(text).length, bytes);
  assert.ok(bytes <= 3000, `${bytes} bytes`);
  return JSON.parse(text) as Envelope;
});
assert.deepEqual(parts.flatMap((part) => spell(part.trace!)), spell(trace), 'the parts are the whole');
assert.deepEqual(parts.map(({ part, parts: n, chunk }) => [part, n, chunk]), parts.map((_, i) => [i, parts.length, 3]));
assert.deepEqual(parts.map(({ notes }) => notes?.[0]), ['lost', ...Array(parts.length - 1)]);

// The browser's own Profiler says what the engine was doing.
const markers = trace.samples.map((_, i) => (['layout', 'gc', undefined] as const)[i % 3]);
const marked = { ...envelope, trace: { ...trace, samples: trace.samples.map((sample, i) => ({ marker: markers[i], ...sample })) } };
const kept = (letters: { text: string }[]) => letters.flatMap(({ text }) => (JSON.parse(text) as Envelope).trace!.samples.map(({ marker }) => marker));
assert.deepEqual(kept(pack(seal(marked), 3000).letters), markers, 'markers stay');
assert.deepEqual(pack(envelope, 200), { letters: [], dropped: 600 }, 'too large for any');
