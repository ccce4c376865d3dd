// While consent is awaited the page moves on: facts that held when it was asked for may
// not hold when it comes. The clock stands still until the test moves it.
import assert from 'node:assert/strict';
import { define, navigationAPI } from '../globals';

const { setTimeout: later } = globalThis;
let time = 0;
let timers: { at: number; run: () => void; id: number }[] = [];
let ids = 0;
const connection = Object.assign(new EventTarget(), { saveData: false, effectiveType: '4g' });
const navigation = navigationAPI();
const store = new Map<string, string>();
let started = 0;
let sent: { page: string; route?: string; chunk: number; notes?: string[] }[] = [];
class Profiler {
  constructor() {
    started++;
  }
  addEventListener() {}
  async stop() {
    return { resources: [], frames: [{ name: 'f' }], stacks: [{ frameId: 0 }], samples: [{ timestamp: 0, stackId: 0 }] };
  }
}
const location = new URL('https://a.example/in');
define({
  setTimeout: (run: () => void, wait: number) => (timers.push({ at: time + wait, run, id: ++ids }), ids),
  clearTimeout: (id: number) => (timers = timers.filter((timer) => timer.id !== id)),
  performance: { now: () => time, timeOrigin: 0 },
  navigator: { connection, onLine: true },
  navigation,
  location,
  Profiler,
  sessionStorage: { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => void store.set(key, value) },
  fetch: async (_: unknown, { body }: { body: string }) => (sent.push(JSON.parse(body)), new Response()),
});
const { send } = await import('../../src/entry/send');

const settle = async () => {
  for (let i = 0; i < 100; i++) await null;
  await new Promise((done) => later(done));
  for (let i = 0; i < 100; i++) await null;
};
/** Lets time go by, with the timers that are due. */
async function pass(milliseconds: number) {
  const end = time + milliseconds;
  for (;;) {
    await settle();
    timers.sort((a, b) => a.at - b.at);
    if (!timers.length || timers[0].at > end) break;
    const timer = timers.shift()!;
    time = timer.at;
    timer.run();
  }
  time = end;
}
async function go(path: string) {
  location.pathname = path;
  navigation.dispatchEvent(new Event('currententrychange'));
  await settle();
}
/** Questions that wait for the test's answers. */
function questions() {
  const open: ((yes: boolean) => void)[] = [];
  return { open, consent: () => new Promise<boolean>((answer) => open.push(answer)) };
}
const begin = async (path: string) => {
  store.clear();
  started = 0;
  sent = [];
  await go(path);
};
const options = {
  url: '/profiles', compress: false, sampleRate: 0,
  routes: [{ path: '/in', sampleRate: 1, name: 'in' }, { path: '/also', sampleRate: 1, name: 'also' }],
};

// The route's rate, Save-Data and the budget are looked at again when the answer comes.
for (const [what, change, back] of [
  ['a route at rate 0', () => go('/out'), () => go('/in')],
  ['Save-Data', () => void (connection.saveData = true), () => void (connection.saveData = false)],
  ['the second generation', () => void (connection.effectiveType = '2g'), () => void (connection.effectiveType = '4g')],
] as [string, () => unknown, () => unknown][]) {
  await begin('/in');
  const { open, consent } = questions();
  const sending = send({ ...options, consent });
  await settle();
  assert.equal(open.length, 1);
  await change();
  open[0](true);
  await settle();
  assert.deepEqual([sending.active, started], [false, 0], `${what}: nothing is recorded`);
  await back();
  sending.update();
  await settle();
  open.at(-1)!(true);
  await settle();
  assert.ok(sending.active, `${what} is over`);
  const stopped = sending.stop();
  await settle();
  open.at(-1)!(false);
  await stopped;
  assert.deepEqual(sent, []);
}
{
  // Another page of the session used the budget up meanwhile, as while this one was in the back/forward cache.
  await begin('/in');
  const { open, consent } = questions();
  const sending = send({ ...options, consent, maxSessionBytes: 1000 });
  await settle();
  store.set('fieldprof.session', JSON.stringify({ id: sending.session, bytes: 1000 }));
  open[0](true);
  await settle();
  assert.deepEqual([sending.active, started], [false, 0], 'the budget is used up');
  await sending.stop();
}
{
  // The route of the envelope is that of the moment at which recording starts.
  await begin('/in');
  const { open, consent } = questions();
  const sending = send({ ...options, consent });
  await settle();
  await go('/also');
  assert.equal(open.length, 2, 'another path is another question');
  open[0](true);
  await settle();
  assert.ok(sending.active, 'an answer to any open question counts');
  open[1](true);
  const flushed = sending.flush();
  for (let i = 0; i < 3; i++) {
    await settle();
    for (const answer of open) answer(true);
  }
  await flushed;
  assert.deepEqual([sent.length, sent[0].route, sent[0].page], [1, 'also', 'https://a.example/also']);
  const stopped = sending.stop();
  for (let i = 0; i < 5; i++) {
    await settle();
    for (const answer of open) answer(true);
  }
  await stopped;
}
{
  // A no is an answer, too: whatever else changes, the same path does not ask again.
  await begin('/in');
  let asked = 0;
  let agrees = false;
  const sending = send({ ...options, consent: () => (asked++, agrees) });
  await settle();
  for (let i = 0; i < 3; i++) await go('/in');
  connection.dispatchEvent(new Event('change'));
  await settle();
  assert.deepEqual([sending.active, asked], [false, 1], 'the page is not pestered');
  await go('/also');
  assert.equal(asked, 2, 'another path asks again');
  agrees = true;
  sending.update();
  await settle();
  assert.deepEqual([sending.active, asked], [true, 3], 'update() asks again');
  await sending.stop();
}
{
  // A promise that never settles blocks neither routes nor a later yes.
  await begin('/in');
  let answer: boolean | Promise<boolean> = new Promise<boolean>(() => {});
  let asked = 0;
  const sending = send({ ...options, consent: () => (asked++, answer) });
  await settle();
  for (let i = 0; i < 3; i++) await go('/in');
  assert.deepEqual([sending.active, asked], [false, 1], 'the page is not pestered');
  answer = true;
  sending.update();
  await settle();
  assert.ok(sending.active, 'update() asks again');
  await sending.stop();
  assert.equal(sent.length, 1);

  await begin('/in');
  answer = new Promise<boolean>(() => {});
  const other = send({ ...options, consent: () => answer });
  await settle();
  await go('/out');
  assert.equal(other.active, false);
  answer = true;
  await go('/also');
  assert.ok(other.active, 'another route asks again');
  await other.stop();
}
{
  // An answer that comes after the answer to a later question is out of date.
  await begin('/in');
  const { open, consent } = questions();
  const sending = send({ ...options, consent });
  await settle();
  sending.update();
  await settle();
  open[1](false);
  await settle();
  open[0](true);
  await settle();
  assert.equal(sending.active, false);
  await sending.stop();
}
{
  // Consent that is asked for before a chunk is sent and never comes is none: the chunk goes, stop() comes to an end.
  await begin('/in');
  let answer: boolean | Promise<boolean> = true;
  const notes: string[] = [];
  const sending = send({ ...options, consent: () => answer, onnote: (note) => notes.push(note) });
  await settle();
  assert.ok(sending.active);
  answer = new Promise<boolean>(() => {});
  let done = false;
  void sending.stop().then(() => (done = true));
  await pass(9000);
  assert.equal(done, false);
  await pass(2000);
  assert.ok(done, 'stop() waits for ever');
  assert.deepEqual([sent, notes.length], [[], 1]);
}
{
  // So is one that is taken back while a transform works, and a transform that never ends is given up.
  await begin('/in');
  let agreed = true;
  const notes: string[] = [];
  let release: (trace: never) => void = () => {};
  const transform = () => new Promise<never>((done) => (release = done));
  const sending = send({ ...options, consent: () => agreed, transform, onnote: (note) => notes.push(note) });
  await settle();
  const flushed = sending.flush();
  await settle();
  agreed = false;
  release({ resources: [], frames: [], stacks: [], samples: [] } as never);
  await flushed;
  assert.deepEqual([sent, sending.active], [[], false], 'consent was taken back meanwhile');
  agreed = true;
  sending.update();
  await settle();
  let done = false;
  void sending.stop().then(() => (done = true));
  await pass(31_000);
  assert.ok(done, 'a transform without an end');
  assert.ok(notes.some((note) => note.includes('transform')), notes.join());
}
{
  // Where the network tells of no change, the next chunk finds that data is dear.
  await begin('/in');
  const sending = send(options);
  await settle();
  assert.ok(sending.active);
  connection.saveData = true;
  await pass(6000);
  assert.deepEqual([sending.active, started], [false, 1]);
  connection.saveData = false;
  await sending.stop();
}
