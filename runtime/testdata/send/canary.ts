// A secret in every field of what a Profiler of the browser's gives, of what a
// transform makes of it, and of errors: no request holds it, neither its body nor
// its referrer.
import assert from 'node:assert/strict';
import { define, navigationAPI } from '../globals';

const secret = 'cAnArY';
const dirty = [
  `https://a.example/x.js?token=${secret}`, `https://a.example/x.js?${secret}`, `https://a.example/x.js#${secret}`, `https://u:${secret}@a.example/x.js`,
  `blob:https://a.example/${secret}`, `data:text/javascript,${secret} ${secret}`, `javascript:${secret}`, `/x.js?${secret}`,
];
interface Body { page: string; route?: string; notes?: string[]; trace: { resources: string[]; frames: { name: string }[] } }
let sent: Body[] = [];
let bodies: string[] = [];
let inits: RequestInit[] = [];
let beacons: string[] = [];
const listeners: Record<string, (event: object) => void> = {};
const page = new URL(`https://u:${secret}@a.example/shop?token=${secret}#${secret}`);
const native = () => ({
  resources: dirty.slice(),
  frames: dirty.map((url, i) => ({ name: `on ${url}`, resourceId: i, line: 1, column: i + 1 })),
  stacks: dirty.map((_, frameId) => ({ frameId })),
  samples: dirty.map((_, stackId) => ({ timestamp: stackId, stackId })),
  [dirty[0]]: { nested: [dirty, { deeper: dirty[3] }] },
});
class Profiler {
  addEventListener() {}
  async stop() {
    return native();
  }
}
const document = { visibilityState: 'visible', addEventListener() {}, removeEventListener() {} };
define({
  document,
  addEventListener: (name: string, hear: () => void) => (listeners[name] = hear),
  removeEventListener() {},
  navigation: navigationAPI(),
  navigator: { onLine: true, sendBeacon: (_: URL, body: Blob) => (beacons.push('beacon'), void body.text().then((text) => beacons.push(text)), true) },
  location: page,
  Profiler,
  fetch: async (_: unknown, init: { body: string }) => {
    bodies.push(init.body);
    sent.push(JSON.parse(init.body));
    inits.push(init);
    return new Response();
  },
});
const { send } = await import('../../src/entry/send');
const { seal } = await import('../../src/send/envelope');
type Options = Parameters<typeof send>[0];
const settle = () => new Promise((done) => setTimeout(done, 5));

async function chunk(options: Partial<Options>) {
  sent = [];
  bodies = [];
  inits = [];
  const sending = send({ url: '/profiles', compress: false, ...options });
  await settle();
  await sending.flush();
  await sending.stop();
  for (const body of bodies) assert.ok(!body.includes(secret), body.match(new RegExp(`.{0,80}${secret}.{0,40}`))?.[0]);
  for (const init of inits) assert.equal(init.referrerPolicy, 'strict-origin', 'the referrer has the query of the page');
  return sent;
}

const [plain] = await chunk({});
assert.equal(plain.page, 'https://a.example/shop');
assert.deepEqual(plain.trace.resources.slice(0, 5), [...Array(4).fill('https://a.example/x.js'), 'blob:https://a.example']);
assert.equal(plain.trace.frames[0].name, 'on https://a.example/x.js');

for (const url of dirty) {
  const [said] = await chunk({ page: () => url, release: `r ${url}`, routes: [{ path: '**', sampleRate: 1, name: url }] });
  assert.ok(said.page && !/[?#]/.test(said.page), said.page);
}
const [whole] = await chunk({ page: (location) => location.href, routes: [{ path: '/sh?p', sampleRate: 1 }] });
assert.deepEqual([whole.page, whole.route], ['https://a.example/shop', '/sh?p'], 'a glob is left as it is');

// The result of a transform is cleaned as well, whatever it is.
const made = { ...native(), toJSON: undefined, url: new URL(dirty[0]), lazy: { toJSON: () => dirty[0] } };
const [changed] = await chunk({ transform: () => made as never });
assert.equal((changed.trace as unknown as { url: string }).url, 'https://a.example/x.js');

// Errors: their kind is sent, their message is not.
const heard: string[] = [];
const failing = send({
  url: '/profiles',
  compress: false,
  transform: (trace) => {
    if (heard.length === 0) throw Object.assign(new TypeError(`${secret} in ${dirty[0]}`), { stack: secret });
    return trace;
  },
  onnote: (note) => heard.push(note),
});
await settle();
sent = [];
bodies = [];
await failing.flush();
await failing.flush();
await failing.stop();
assert.deepEqual(sent[0]?.notes, ['chunk 0 was dropped: TypeError']);
assert.ok(bodies.every((body) => !body.includes(secret)), bodies.join('\n'));
assert.ok(heard[0].includes(`${secret} in https://a.example/x.js`), 'the page is told');

// On leaving: a beacon would have the page's own referrer, with its query.
for (const [href, want] of [['https://a.example/shop?token=' + secret, 0], ['https://a.example/shop#' + secret, 1]] as [string, number][]) {
  page.href = href;
  beacons = [];
  sent = [];
  bodies = [];
  inits = [];
  const sending = send({ url: '/profiles', compress: false });
  await settle();
  listeners.pagehide({});
  await settle();
  assert.equal(beacons.filter((text) => text === 'beacon').length, want, href);
  assert.equal(inits.length, 1 - want);
  if (inits.length) assert.deepEqual([inits[0].keepalive, inits[0].referrerPolicy], [true, 'strict-origin']);
  assert.ok(![...beacons, ...bodies].join().includes(secret));
  await sending.stop();
}

// Slices: a page may put anything into the ids of its elements and the names of its measures.
{
  const { Sender } = await import('../../src/send/sender');
  const { settle: settleOptions } = await import('../../src/send/options');
  const { openSession } = await import('../../src/send/session');
  bodies = [];
  sent = [];
  const sender = new Sender(settleOptions({ url: '/profiles', compress: false, slices: { perPage: 100 } }), openSession(''), async () => ({
    observe({ onslow, onnote }) {
      onnote!(`something about ${dirty[0]}`);
      for (const [i, text] of dirty.entries()) {
        const mark = { what: 'interaction', name: text, target: `a[href="${text}"]`, detail: text, time: 0, duration: 300 } as const;
        onslow!({ what: 'interaction', name: text, target: mark.target, start: 1000 * i, duration: 300, unknown: [text], trace: { ...native(), fieldprof: { lost: [text], marks: [mark] } as never } });
      }
      return { counts: { interactions: dirty.length, slow: { interaction: dirty.length }, longTasks: 0, dropped: 0, [dirty[0]]: dirty[0] }, slices: async () => [], stop: async () => {} };
    },
  }));
  sender.start();
  await settle();
  await sender.stop();
  assert.equal(bodies.length, dirty.length);
  for (const body of bodies) assert.ok(!body.includes(secret), body.match(new RegExp(`.{0,80}${secret}.{0,40}`))?.[0]);
  const { marks } = (sent[0].trace as unknown as { fieldprof: { marks: { name: string; target: string }[] } }).fieldprof;
  assert.equal(marks[0].name, 'https://a.example/x.js');
}

// The order of fields is that of docs/sending.md.
const sealed = seal({ version: 1, session: 's', view: 'v', page: dirty[0], route: '/a', rate: 1, chunk: 0, started: 0, origin: 0, trace: native() });
assert.deepEqual(Object.keys(sealed).slice(0, 7), ['version', 'session', 'view', 'page', 'route', 'rate', 'chunk']);

// Debug ids are by resource, which has no query.
{
  const script = `https://a.example/x.js?token=${secret}`;
  const id = '85314830-023f-4cf1-a267-535f4e37bb17';
  (globalThis as Record<string, unknown>)._sentryDebugIds = { [`Error\n    at ${script}:1:300`]: id };
  const { debugIds } = seal({ ...sealed, trace: { ...native(), resources: [script] } });
  assert.deepEqual(debugIds, { 'https://a.example/x.js': id });
}
