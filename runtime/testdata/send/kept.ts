// A session keeps its choice from page to page, also the choice not to be profiled, as soon as
// it may; and what a page sends as it is left is not lost if the page stays after all.
import assert from 'node:assert/strict';
import { define, navigationAPI } from '../globals';
import type { Sending } from '../../src/entry/send';

const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const navigator = { onLine: true };
const store = new Map<string, string>();
let started = 0;
let network: () => Promise<Response> = async () => new Response();
let sent: { chunk: number; rate: number }[] = [];
const receive = async (body: string) => {
  const response = await network();
  sent.push(JSON.parse(body));
  return response;
};
let request = receive;
class Profiler {
  constructor() {
    started++;
  }
  addEventListener() {}
  async stop() {
    return { resources: [], frames: [{ name: 'f' }], stacks: [{ frameId: 0 }], samples: [{ timestamp: 0, stackId: 0 }] };
  }
}
/** The same ids each time. */
let chance = 42;
const random = () => (chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0);
const events = new EventTarget();
const location = new URL('https://a.example/in');
const tape = { options: {} as { maxOverhead?: number } };
define({
  crypto: { getRandomValues: (words: Uint32Array) => words.map(random).forEach((word, i) => (words[i] = word)) },
  __fieldprof: { version: 1, tape },
  addEventListener: events.addEventListener.bind(events),
  removeEventListener: events.removeEventListener.bind(events),
  document,
  navigator,
  navigation: navigationAPI(),
  location,
  Profiler,
  sessionStorage: { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => void store.set(key, value) },
  fetch: (_: unknown, { body }: { body: string }) => request(body),
});
const { send } = await import('../../src/entry/send');
const settle = () => new Promise((done) => setTimeout(done, 5));
const soon = async () => {
  for (let i = 0; i < 50; i++) await null;
};
const options = { url: 'https://b.example/profiles', compress: false };

/** Of 400 sessions of eight pages, those of which some page was profiled. */
async function chosen(more: object, path = () => '/in', meanwhile?: (sending: Sending) => void): Promise<number> {
  let count = 0;
  for (let i = 0; i < 400; i++) {
    store.clear();
    started = 0;
    for (let page = 0; page < 8; page++) {
      location.pathname = path();
      const sending = send({ ...options, ...more });
      await soon();
      meanwhile?.(sending);
      await soon();
      await sending.stop();
    }
    if (started) count++;
  }
  location.pathname = '/in';
  return count;
}
const aTenth = (count: number) => count >= 15 && count <= 70;
const routes = [{ path: '/in', sampleRate: 0.1 }];
let consents = false;
for (const [what, more, path, meanwhile] of [
  ['consent by default', { sampleRate: 0.1 }],
  ['a promise', { sampleRate: 0.1, consent: Promise.resolve(true) }],
  ['a function', { sampleRate: 0.1, consent: () => true }],
  ['a route among others', { sampleRate: 0, routes }, () => ['/in', '/out'][started ? 0 : random() >>> 31]],
  ['an answer that comes later', { sampleRate: 0.1, consent: () => consents }, () => ((consents = false), '/in'), (sending) => ((consents = true), sending.update())],
] as [string, object, (() => string)?, ((sending: Sending) => void)?][]) {
  const count = await chosen(more, path, meanwhile);
  assert.ok(aTenth(count), `${what}: ${count} of 400 sessions are in at 10 %`);
}

// Nothing is stored before there is consent, nor where no session is ever in.
for (const more of [{ consent: false }, { consent: () => { throw new Error('no') } }, { consent: new Promise<boolean>(() => {}) }, { sampleRate: 0 }]) {
  store.clear();
  await send({ ...options, sampleRate: 0.0001, ...more }).stop();
  await soon();
  assert.equal(store.size, 0);
}

const show = (visibilityState: string) => {
  document.visibilityState = visibilityState;
  document.dispatchEvent(new Event('visibilitychange'));
};
/** Hides the page while a chunk is recorded, and shows it again once a change is made. */
async function leave(change: () => void): Promise<number[]> {
  store.clear();
  sent = [];
  const sending = send(options);
  await settle();
  show('hidden');
  await settle();
  change();
  show('visible');
  events.dispatchEvent(new Event('online'));
  await settle();
  const chunks = sent.map(({ chunk }) => chunk);
  await sending.stop();
  return chunks;
}

// Offline, the last chunk waits for the network.
navigator.onLine = false;
assert.deepEqual(await leave(() => (navigator.onLine = true)), [0], 'it is sent once there is a network');

// So it does if the network turns out to be gone.
network = () => Promise.reject(new TypeError('no network'));
assert.deepEqual(await leave(() => (network = async () => new Response())), [0], 'it is sent again');
assert.deepEqual(await leave(() => {}), [0], 'and once, if all is well');

// The budget of a sender is its own, and ends with it.
const unbounded = send(options);
await settle();
assert.deepEqual(tape.options, {}, 'without a budget nothing is set');
await unbounded.stop();
for (const maxOverhead of [5, 7]) {
  const bounded = send({ ...options, maxOverhead });
  await settle();
  assert.equal(tape.options.maxOverhead, maxOverhead);
  await bounded.stop();
  assert.equal(tape.options.maxOverhead, undefined);
}

// Of two, the stricter one counts as long as it lasts.
const [loose, strict] = [send({ ...options, maxOverhead: 7 }), send({ ...options, maxOverhead: 5 })];
await settle();
assert.equal(tape.options.maxOverhead, 5);
await strict.stop();
assert.equal(tape.options.maxOverhead, 7);
await loose.stop();
assert.deepEqual(tape.options, {});

tape.options.maxOverhead = 3;
const other = send({ ...options, maxOverhead: 9 });
await settle();
await other.stop();
assert.equal(tape.options.maxOverhead, 3, "the page's own budget stays");

// Fetch may be the page's, and fail in any way: the chunk is kept.
for (const broken of [() => { throw new Error("the page's"); }, () => undefined]) { // prettier-ignore
  request = broken as never;
  assert.deepEqual(await leave(() => (request = receive)), [0]);
}
