// Which slices are sent, how small they are, and how the browser is described.
import assert from 'node:assert/strict';
import type { ProfilerTrace } from '../../src/recording/parts';
import { browserOf, connectionOf, deviceOf, type Hints } from '../../src/send/environment';
import { settle } from '../../src/send/options';
import { lighten } from '../../src/send/portion';
import { Reservoir } from '../../src/send/reservoir';

// --- the reservoir -------------------------------------------------------------

const of = (places: number, items: number[], random?: () => number) => {
  const reservoir = new Reservoir<number>(places, (item) => item, undefined, random);
  for (const item of items) reservoir.offer(item);
  return reservoir;
};
assert.deepEqual(of(5, []).take(), []);
assert.deepEqual(of(5, [3, 9, 7]).take().map(({ item, weight }) => [item, weight]), [[9, 1], [3, 1], [7, 1]], 'all, the worst first');
assert.deepEqual(of(1, [3, 9, 7]).take().map(({ item }) => item), [9]);
assert.deepEqual(of(0, [3]).take(), []);
{
  const used = of(3, [1, 2]);
  assert.equal(used.take().length, 2);
  for (const item of [5, 6, 7]) used.offer(item);
  assert.deepEqual(used.take().map(({ item }) => item), [7], 'one place was left');
  used.offer(100);
  assert.deepEqual(used.take(), [], 'none is');
}
{
  // Something that got longer is itself.
  const growing = new Reservoir<number>(5, (item) => item, (item, old) => Math.floor(item) === Math.floor(old));
  for (const item of [3.1, 2.5, 3.5, 1, 2.9, 4, 2.95, 4.5]) growing.offer(item);
  assert.deepEqual(growing.take().map(({ item, weight }) => [item, weight]), [[4.5, 1], [2.95, 1], [1, 1], [3.5, 1]]);
}
{
  // Every item but the worst has the same chance, wherever it stands; weights add up to what came.
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const rounds = 20_000;
  const hits = new Map<number, number>();
  const items = [4, 1, 9, 3, 10, 2, 8, 7, 5, 6];
  for (let i = 0; i < rounds; i++) {
    const chosen = of(4, items, random).take();
    assert.equal(chosen[0].item, 10, 'the worst is kept');
    assert.equal(chosen.reduce((sum, { weight }) => sum + weight, 0), items.length);
    for (const { item } of chosen) hits.set(item, (hits.get(item) || 0) + 1);
  }
  for (const item of items) {
    const expected = item === 10 ? rounds : rounds / 3;
    assert.ok(Math.abs(hits.get(item)! - expected) < rounds / 50, `${item} was chosen ${hits.get(item)} times`); // five standard deviations
  }
}

// --- options ---------------------------------------------------------------------

const slices = (options?: object | boolean) => settle({ url: 'https://a.example/', slices: options as boolean }).slices;
assert.equal(slices(), null);
assert.equal(slices(false), null);
assert.deepEqual(slices(true), { thresholds: {}, perPage: 5 });
assert.deepEqual(slices({ thresholds: { interaction: 100 }, perPage: 2.5 }), { thresholds: { interaction: 100 }, perPage: 2 });
for (const odd of [NaN, -1, '3', null]) assert.equal((slices({ perPage: odd }) as { perPage: number }).perPage, 5);

// --- light traces -----------------------------------------------------------------

{
  const trace: ProfilerTrace = {
    resources: ['a.js', 'unused.js'], frames: [{ name: 'f', resourceId: 0, line: 1, column: 2 }, { name: 'unused', resourceId: 1 }],
    stacks: [{ frameId: 1 }, { frameId: 0 }],
    samples: [{ timestamp: 10.123456, stackId: 1, weight: 1, kind: 'loop', skid: 0.31 }, { timestamp: 20.5, weight: 3, kind: 'idle', skid: 21.23456 }, { timestamp: 30, stackId: 1, marker: 'gc', weight: 1 }],
    fieldprof: {
      version: 1, clock: 'poll', interval: 10, seed: 1, lost: [], account: { raised: 5, missed: 0, taken: 2, idle: 3, program: 0, lost: 0 },
      late: { count: 0, median: 0, p95: 0, max: 0 }, skid: { count: 0, median: 0, p95: 0, max: 0 },
      marks: [{ what: 'interaction', name: 'click', target: 'button#save', time: 9.98765, duration: 21.00049, inputDelay: 0.1 }],
    },
  };
  const before = JSON.stringify(trace);
  const light = lighten(trace);
  assert.equal(JSON.stringify(trace), before, 'the page keeps what it has');
  assert.deepEqual([light.resources, light.frames.length, light.stacks.length], [['a.js'], 1, 1]);
  assert.deepEqual(light.samples, [{ timestamp: 10.12, stackId: 0, weight: 1, kind: 'loop' }, { timestamp: 20.5, weight: 3, kind: 'idle', skid: 21.23 }, { timestamp: 30, stackId: 0, marker: 'gc', weight: 1 }]);
  assert.deepEqual(light.fieldprof!.marks, [{ what: 'interaction', name: 'click', target: 'button#save', time: 9.99, duration: 21, inputDelay: 0.1 }]);
}

// --- the browser -------------------------------------------------------------------

const brand = (brand: string, version = '156') => ({ brand, version });
const chromium = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36' };
for (const [want, hints] of [
  ['Chrome 156', chromium],
  ['Chrome 156', { ...chromium, userAgentData: { brands: [brand('Not;A=Brand', '8'), brand('Chromium'), brand('Google Chrome')] } }],
  ['Edge 156', { ...chromium, userAgentData: { brands: [brand('Chromium'), brand('Microsoft Edge')] } }],
  ['Edge 130', { userAgent: `${chromium.userAgent} Edg/130.0.1.2` }],
  ['Opera 120', { userAgent: `${chromium.userAgent} OPR/120.0.0.0` }],
  ['Samsung Internet 27', { userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36' }],
  ['Firefox 153', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0' }],
  ['Safari 26', { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15' }],
  ['Safari 18', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1' }],
  [undefined, { userAgent: 'a secret agent' }],
  [undefined, { userAgent: 'x', userAgentData: { brands: [brand('Chrome', '1 secret'), brand('secret')] } }],
  [undefined, { userAgent: 7, userAgentData: { brands: 'Chrome' as never } }],
  [undefined, {}],
] as [string | undefined, Hints][]) assert.equal(browserOf(hints), want, JSON.stringify(hints));

for (const [want, hints] of [
  [{ kind: 'desktop', memory: 8, cores: 8 }, { ...chromium, deviceMemory: 32, hardwareConcurrency: 96 }],
  [{ kind: 'desktop', memory: 1, cores: 4 }, { ...chromium, deviceMemory: 0.25, hardwareConcurrency: 6 }],
  [{ kind: 'mobile' }, { userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0' }],
  [{ kind: 'mobile' }, { ...chromium, userAgentData: { mobile: true } }],
  [{ kind: 'tablet' }, { userAgent: 'Mozilla/5.0 (Android 15; Tablet; rv:153.0) Gecko/153.0 Firefox/153.0' }],
  [{ kind: 'tablet' }, { userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36' }],
  [{ kind: 'tablet' }, { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15', maxTouchPoints: 5 }],
  [{ kind: 'desktop' }, { userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15', maxTouchPoints: 0 }],
  [{ kind: 'desktop' }, { deviceMemory: 'much', hardwareConcurrency: NaN }],
] as [object, Hints][]) assert.deepEqual(deviceOf(hints), want, JSON.stringify(hints));

assert.deepEqual([connectionOf({ connection: { effectiveType: '4g' } }), connectionOf({ connection: { effectiveType: 'secret' } }), connectionOf({})], ['4g', undefined, undefined]);
