// Sends only slices and counts: which letters leave, and when.
import assert from 'node:assert/strict';
import { define, navigationAPI } from '../globals';
import type { Slice } from '../../src/interactions/slice';
import type { Envelope } from '../../src/send/envelope';
import type { ObserveOptions } from '../../src/interactions/settings';
import type { Observing } from '../../src/send/slices';

let sent: Envelope[] = [];
let beacons: { text: string }[] = [];
const listeners: Record<string, (event: object) => void> = {};
const forget = (name: string, hear: () => void) => listeners[name] === hear && delete listeners[name];
const document = { visibilityState: 'visible', addEventListener: (name: string, hear: () => void) => (listeners[name] = hear), removeEventListener: forget };
const navigation = navigationAPI();
const location = new URL('https://a.example/shop');
define({
  document, location, navigation,
  addEventListener: (name: string, hear: () => void) => (listeners[name] = hear),
  removeEventListener: forget,
  navigator: { onLine: true, userAgent: 'x Firefox/153.0', connection: { effectiveType: '4g', addEventListener() {}, removeEventListener() {} }, sendBeacon: (_: URL, body: { text: string }) => (beacons.push(body), sent.push(JSON.parse(body.text)), true) },
  Blob: class { text: string; constructor([text]: [string]) { this.text = text } },
  fetch: async (_: unknown, { body }: { body: string }) => (sent.push(JSON.parse(body)), new Response()),
});
const { settle: settleOptions } = await import('../../src/send/options');
const { openSession } = await import('../../src/send/session');
const { Sender } = await import('../../src/send/sender');

const settle = () => new Promise((done) => setTimeout(done, 5));
let starts = 1000;
const sliceOf = (name: string, duration: number, unknown: string[] = []): Slice => ({
  what: 'interaction', name, start: (starts += 10_000), duration, unknown,
  trace: { resources: [], frames: [{ name }], stacks: [{ frameId: 0 }], samples: [{ timestamp: 1000.123456, stackId: 0, weight: 1, kind: 'loop', skid: 1 }] },
});

/** The module of interactions, as the test drives it. */
class Module {
  asked: ObserveOptions[] = [];
  counts = { interactions: 0, slow: {} as Record<string, number>, longTasks: 0, dropped: 0 };
  current: Slice[] = [];
  stopped = 0;
  fails = false;
  loaded = 0;
  load = async () => {
    this.loaded++;
    if (this.fails) throw new TypeError('no module');
    return { observe: (options: ObserveOptions): Observing => (this.asked.push(options), { counts: this.counts, slices: async () => this.current, stop: async () => void this.stopped++ }) };
  };
  slow(slice: Slice) {
    this.counts.slow.interaction = (this.counts.slow.interaction || 0) + 1;
    this.asked.at(-1)!.onslow!(slice);
  }
}
const notes: string[] = [];
async function begin(options: object = {}) {
  sent = [];
  beacons = [];
  notes.length = 0;
  location.pathname = '/shop';
  document.visibilityState = 'visible';
  const module = new Module();
  const settings = settleOptions({ url: '/profiles', compress: false, slices: true, onnote: (note) => notes.push(note), ...options });
  const sender = new Sender(settings, openSession(''), module.load);
  sender.start();
  await settle();
  return { module, sender };
}
const turn = async (state: string) => {
  document.visibilityState = state;
  listeners.visibilitychange({});
  await settle();
};
const names = () => sent.map(({ slice, trace }) => (slice ? trace!.frames[0].name : 'counts'));

{
  // Nothing leaves while the page is shown; when it is hidden, one letter for each slice.
  const { module, sender } = await begin({ slices: { thresholds: { interaction: 50 } }, sampleInterval: 20, release: 'r', sampleRate: 1 });
  const { thresholds, sampleInterval } = module.asked[0];
  assert.deepEqual([thresholds, sampleInterval, sender.active], [{ interaction: 50 }, 20, true]);
  module.counts.interactions = 7;
  module.slow(sliceOf('a', 300));
  module.slow(sliceOf('b', 500, ['its target is not known']));
  await settle();
  assert.deepEqual(sent, []);
  await turn('hidden');
  assert.deepEqual([names(), beacons.length], [['b', 'a'], 2]);
  const { session, view, page, rate, browser, device, connection, chunk, release, slice, weight, counts, notes: said, trace } = sent[0];
  assert.deepEqual([page, rate, browser, device, connection, chunk, release, slice, weight], ['https://a.example/shop', 1, 'Firefox 153', { kind: 'desktop' }, '4g', 0, 'r', true, 1]);
  assert.deepEqual(counts, { interactions: 7, slow: { interaction: 2 }, longTasks: 0, dropped: 0 });
  assert.deepEqual(said, ['its target is not known']);
  assert.deepEqual(trace!.samples, [{ timestamp: 1000.12, stackId: 0, weight: 1, kind: 'loop', skid: 1 }], 'light');
  assert.deepEqual([sent[1].session, sent[1].view, sent[1].chunk], [session, view, 1]);
  // Hidden again: nothing is news. Shown and slow again: the same view, the same profile.
  await turn('hidden');
  assert.equal(sent.length, 2);
  await turn('visible');
  assert.equal(module.loaded, 1);
  module.slow(sliceOf('c', 250));
  listeners.pagehide({});
  await settle();
  assert.deepEqual([names(), sent[2].chunk, sent[2].view, module.stopped], [['b', 'a', 'c'], 2, view, 0]);
  await sender.stop();
  assert.deepEqual([sent.length, module.stopped, sender.active], [3, 1, false], 'the counts are known');
}
{
  // A page that is never slow sends its counts, once, and again if they change.
  const { module, sender } = await begin();
  module.counts.interactions = 3;
  await turn('hidden');
  assert.deepEqual([names(), sent[0].trace, sent[0].counts!.interactions, sent[0].slice], [['counts'], undefined, 3, undefined]);
  listeners.pagehide({});
  await settle();
  assert.equal(sent.length, 1);
  await turn('visible');
  module.counts.interactions = 4;
  await turn('hidden');
  assert.deepEqual([sent.length, sent[1].counts!.interactions, sent[1].chunk, sent[1].view], [2, 4, 1, sent[0].view], 'the latest counts');
  await sender.stop();
}
{
  // No more than perPage in a view, the worst among them; the others are represented.
  const { module, sender } = await begin({ slices: { perPage: 3 } });
  for (let i = 0; i < 20; i++) module.slow(sliceOf(`s${i}`, i === 11 ? 999 : 300));
  await turn('hidden');
  assert.deepEqual([sent.length, names()[0], sent.reduce((sum, { weight }) => sum + weight!, 0)], [3, 's11', 20]);
  await turn('visible');
  module.slow(sliceOf('more', 5000));
  await turn('hidden');
  assert.deepEqual([names().slice(3), sent.at(-1)!.counts!.slow.interaction], [['counts'], 21]);
  await sender.stop();
}
{
  // Where the page may not be profiled the observation ends; the next one is another view.
  const { module, sender } = await begin({ sampleRate: 0, routes: [{ path: '/shop/**', sampleRate: 1, name: 'shop' }, { path: '/shop', sampleRate: 1, name: 'start' }] });
  const go = async (path: string) => {
    location.pathname = path;
    navigation.dispatchEvent(new Event('currententrychange'));
    await settle();
  };
  await go('/shop/cart');
  assert.equal(module.asked.length, 1, 'it goes on over routes');
  module.slow(sliceOf('cart', 300));
  await go('/out');
  assert.deepEqual([names(), sent[0].page, sent[0].route, module.stopped, sender.active], [['cart'], 'https://a.example/shop/cart', 'shop', 1, false]);
  await go('/shop');
  module.slow(sliceOf('again', 300));
  await sender.flush();
  assert.deepEqual([names(), sent[1].route, sent[1].chunk], [['cart', 'again'], 'start', 0]);
  assert.notEqual(sent[1].view, sent[0].view);
  await sender.stop();
}
{
  // A slice that has not ended when the page is left is sent, once.
  const { module, sender } = await begin();
  module.current = [sliceOf('ended', 300)];
  module.slow(module.current[0]);
  module.current.push({ ...sliceOf('ongoing', 900), start: 2000 });
  await sender.flush();
  assert.deepEqual(names(), ['ended'], 'the page stays: it may end');
  document.visibilityState = 'hidden';
  listeners.visibilitychange({});
  module.current[1] = { ...sliceOf('ongoing', 910), start: 2000 };
  listeners.pagehide({});
  await settle();
  assert.deepEqual(names().filter((name) => name !== 'counts'), ['ended', 'ongoing']);
  await sender.stop();
}
{
  // Consent: nothing is loaded without it, and nothing leaves once it is taken back.
  const { module: never } = await begin({ consent: false });
  assert.equal(never.loaded, 0);
  let agreed = true;
  const { module, sender } = await begin({ consent: () => agreed });
  module.slow(sliceOf('a', 300));
  agreed = false;
  await turn('hidden');
  assert.deepEqual([sent, sender.active, module.stopped], [[], false, 1]);
  assert.ok(notes.some((note) => note.includes('a slice was dropped: it may not be sent')), notes.join());
  await sender.stop();
}
{
  // A session that is not chosen loads nothing; a module that cannot be loaded ends it.
  const { module: out } = await begin({ sampleRate: 0 });
  assert.equal(out.loaded, 0);
  const failing = new Module();
  failing.fails = true;
  const sender = new Sender(settleOptions({ url: '/profiles', slices: true, onnote: (note) => notes.push(note) }), openSession(''), failing.load);
  sender.start();
  await settle();
  sender.update();
  await settle();
  assert.deepEqual([failing.loaded, sender.active], [1, false]);
  assert.ok(notes.some((note) => note.startsWith('no slices: TypeError')), notes.join());
}
{
  // It is stopped while the module is loaded: nothing begins.
  let loaded: (module: object) => void = () => {};
  const module = new Module();
  const sender = new Sender(settleOptions({ url: '/profiles', slices: true }), openSession(''), () => new Promise((done) => (loaded = done as never)));
  sender.start();
  await settle();
  await sender.stop();
  loaded(await module.load());
  await settle();
  assert.equal(module.asked.length, 0);
}
{
  // A page that says less of itself than its path says it in the names of loads and navigations, too.
  for (const [page, names] of [
    [undefined, ['/shop', 'click', '/u/anna']],
    [() => 'https://a.example/', ['/', 'click', '/']],
    [() => 'https://a.example', ['/', 'click', '/']],
    [() => 'a shop', ['a shop', 'click', 'a shop']],
  ] as const) {
    const { module, sender } = await begin({ page });
    const slice = sliceOf('load', 3000);
    const marks = [{ what: 'load', name: '/shop', time: 0, duration: 3000 }, { what: 'interaction', name: 'click', time: 0, duration: 9 }, { what: 'navigation', name: '/u/anna', time: 0, duration: 9 }];
    Object.assign(slice.trace, { fieldprof: { marks } });
    module.slow(slice);
    await sender.stop();
    assert.deepEqual(sent[0].trace!.fieldprof!.marks!.map(({ name }) => name), names);
  }
}
{
  // It is stopped while the page is hidden: when it is shown, nothing is in a hurry any more, and nobody listens.
  const shared = { hurry: false };
  define({ __fieldprof: shared });
  const { sender } = await begin();
  await turn('hidden');
  assert.ok(shared.hurry);
  await sender.stop();
  await turn('visible');
  assert.deepEqual([shared.hurry, Object.keys(listeners).filter((name) => name !== 'online')], [false, []]);
  define({ __fieldprof: undefined });
}
{
  // A slice that does not fit into the requests that outlive a page waits for its return; the worst goes first.
  const { module, sender } = await begin();
  for (const [name, duration] of [['small', 300], ['large', 400]] as const) {
    const slice = sliceOf(name, duration);
    slice.trace.frames[0].name = name + 'x'.repeat(30_000);
    module.slow(slice);
  }
  document.visibilityState = 'hidden';
  listeners.pagehide({});
  await settle();
  assert.deepEqual([beacons.length, sent.length, names()[0].slice(0, 5)], [1, 2, 'large']);
  await sender.stop();
}
{
  // The rolling profile exceeds its budget: profiling the page ends, and what was found is sent.
  const { module, sender } = await begin();
  module.slow(sliceOf('dear', 300));
  module.asked[0].onover!();
  await settle();
  assert.deepEqual([sender.active, module.stopped, names(), module.loaded], [false, 1, ['dear'], 1]);
  assert.deepEqual(notes, ['profiling this page has ended: it costs more than maxOverhead']);
  sender.update();
  await settle();
  assert.equal(module.loaded, 1);
  await sender.stop();
}
{
  // An element or a variable may be called navigation where there is no Navigation API: the path is looked at.
  const { follow } = await import('../../src/send/routes');
  const heard: string[] = [];
  define({ navigation: { addEventListener: (type: string) => heard.push(type), removeEventListener() {} } });
  let asked = 0;
  const end = follow(() => asked++);
  listeners.popstate({});
  assert.deepEqual([heard, asked], [[], 1]);
  end();
}
