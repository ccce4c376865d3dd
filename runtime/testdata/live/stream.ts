// dist/live.js in a page whose sockets, clock and events the test makes: it obeys the
// server, says who it is and what happened, and leaves the page alone.
import { define } from '../globals';
import { endTask, idle, pass } from '../sampling/fakes';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Batch, Hello } from '../../src/live/protocol';

declare const TESTDATA: string;
const script = readFileSync(`${TESTDATA}/../dist/live.js`, 'utf8');

/** The same gaps between ticks each time. */
let chance = 42;
Math.random = () => (chance = (chance * 1103515245 + 12345) % 2147483648) / 2147483648;

// --- a page --------------------------------------------------------------------

let listeners: { target: unknown; type: string; hear: (event: unknown) => void }[] = [];
EventTarget.prototype.addEventListener = function (this: unknown, type: string, hear: never) {
  listeners.push({ target: this, type, hear });
};
EventTarget.prototype.removeEventListener = function (this: unknown, type: string, hear: never) {
  listeners = listeners.filter((l) => l.target !== this || l.type !== type || l.hear !== hear);
};
function fire(target: unknown, type: string, event: object = {}) {
  for (const l of listeners.filter((l) => l.target === target && l.type === type)) l.hear(event);
}

type Sent = Batch & Omit<Hello, 'type'> & { type: string; seq: number };
class FakeSocket extends EventTarget {
  static all: FakeSocket[] = [];
  sent: Sent[] = [];
  closed = '';
  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {
    super();
    if (policy) throw new Error('a policy');
    FakeSocket.all.push(this);
  }
  get bufferedAmount() {
    return 0;
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close(code: number, why: string) {
    this.closed = `${code} ${why}`;
  }
}
let policy = false;

class FakeElement {
  get localName() {
    return 'button';
  }
  getAttribute(name: string) {
    return name === 'id' ? 'go' : null;
  }
  closest() {
    return this;
  }
}

class FakeObserver {
  static supportedEntryTypes = ['mark', 'measure', 'event', 'first-input'];
  static all = new Map<string, FakeObserver>();
  constructor(readonly hear: (list: { getEntries(): object[] }) => void) {}
  observe({ type }: { type: string }) {
    FakeObserver.all.set(type, this);
  }
  takeRecords() {
    return [];
  }
  disconnect() {
    FakeObserver.all.forEach((observer, type) => observer === this && FakeObserver.all.delete(type));
  }
}
const happens = (type: string, ...entries: object[]) => FakeObserver.all.get(type)?.hear({ getEntries: () => entries });

let slept = 0;
Date.now = () => 1.8e12 + performance.now() + slept;
const store = new Map<string, string>();
const storage = { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => store.set(key, value), removeItem: (key: string) => store.delete(key) };
define({ SharedArrayBuffer: undefined, WebSocket: FakeSocket, PerformanceObserver: FakeObserver, PerformanceEventTiming: class { interactionId = 0 }, Element: FakeElement, sessionStorage: storage, navigator: { userAgent: 'a browser' } });

let page = Object.assign(new EventTarget(), { title: '', hidden: false, readyState: 'loading', currentScript: {} as object | null });

/** Loads the script into a page of its own, as far as it can tell. */
function load(title = 'A page', dataset: object = { source: 'secret' }) {
  listeners = [];
  FakeSocket.all = [];
  FakeObserver.all.clear();
  delete (globalThis as { __fieldprof?: unknown }).__fieldprof;
  page = Object.assign(new EventTarget(), { title, hidden: false, readyState: 'loading', currentScript: { src: 'http://a.example:81/__fieldprof/live.js', dataset } });
  const href = 'http://a.example:81/dir/page?q#part';
  define({ document: page, location: { href, origin: 'http://a.example:81', pathname: '/dir/page' } });
  (0, eval)(script);
  page.currentScript = null;
}

const socket = () => FakeSocket.all.at(-1)!;
const open = () => fire(socket(), 'open');
const hear = (message: object) => fire(socket(), 'message', { data: JSON.stringify(message) });
const batches = (i = FakeSocket.all.length - 1) => FakeSocket.all[i].sent.filter(({ type }) => type === 'batch');
const ticks = (from = batches()) => from.flatMap(({ samples }) => samples.weight).reduce((a, b) => a + b, 0);
const notes = () => batches().flatMap(({ notes }) => notes);

/** The page's work: a checked function that takes so many milliseconds. */
function work(milliseconds: number) {
  const { flag } = globalThis.__fieldprof!;
  for (let i = 0; i < milliseconds * 100; i++) {
    pass(0.01);
    if ((flag[1] = flag[0])) flag.c.c(1);
  }
  endTask();
}

// --- a profile --------------------------------------------------------------------

load('');
assert.deepEqual([socket().url, socket().protocol], ['ws://a.example:81/__fieldprof/source', 'fieldprof.live.1']);
assert.deepEqual([Object.keys(globalThis).filter((key) => /fieldprof/.test(key)), store.size], [[], 0], 'nothing shows');
open();
assert.deepEqual(socket().sent, [], 'it has no title yet');
page.title = 'A page';
idle(60);
const hello = socket().sent[0];
assert.match(hello.id, /^[0-9a-f]{32}$/);
assert.deepEqual({ ...hello, id: '', engine: '', origin: 0 }, {
  type: 'hello', version: 1, token: 'secret', id: '', what: 'page', name: 'A page', url: 'http://a.example:81/dir/page?q', engine: '', clocks: ['poll'], origin: 0, acked: 0,
});
hear({ type: 'welcome', acked: 0, server: 's' });
idle(10_000);
work(100);
idle(10_000);
assert.deepEqual(batches(), [], 'nothing is asked');

hear({ type: 'start', profile: 5, interval: 10, clock: '' });
work(1000);
idle(260);
const [first] = batches();
assert.equal(batches().length, 2, 'one that was due, and one later');
assert.deepEqual([first.seq, first.profile, first.began!.interval, first.began!.clock], [1, 5, 10, 'poll']);
assert.ok(Math.abs(ticks() - 126) < 30, `${ticks()} ticks in 1.26 s`);
assert.ok(first.records.some(({ name, file }) => name === 'work' && file.endsWith('test.mjs')));
assert.ok(!first.records.some(({ name }) => /capture|record/.test(name)), 'no frame is our own');
const top = first.stacks.slice(4 * first.samples.stack[0], 4 * first.samples.stack[0] + 4);
assert.equal(first.records.find(({ id }) => id === top[1])!.name, 'work');
for (let i = 0; i < 10; i++) idle(250);
assert.ok(batches().length >= 9 && batches().length <= 12, 'four a second');
assert.ok(batches().slice(1).every(({ began, records }) => !began && !records.length), 'nothing comes twice');
hear({ type: 'ack', seq: batches().at(-1)!.seq });

// The connection is lost, and recording goes on.
const before = batches().at(-1)!.seq;
fire(socket(), 'close', { code: 1006 });
work(240);
idle(200);
assert.equal(FakeSocket.all.length, 2);
assert.deepEqual(FakeSocket.all[1].sent, []);
open();
assert.deepEqual([socket().sent[0].id, socket().sent[0].recording, socket().sent[0].interval, socket().sent[0].acked], [hello.id, 5, 10, before]);
hear({ type: 'welcome', acked: before, server: 's', profile: 5, interval: 10 });
assert.equal(batches()[0].seq, before + 1);
assert.ok(!batches()[0].began, 'the same profile');

// Marks, not too many.
const time = performance.now();
happens('mark', { startTime: time, duration: 0, name: 'here', detail: 'why' }, { startTime: time, duration: 0, name: 'there', detail: { get big() { throw new Error('private') } } });
happens('measure', { startTime: time - 20, duration: 20, name: 'm'.repeat(1000) });
pass(200);
happens('event', { startTime: time, duration: 120, name: 'pointerup', interactionId: 7, processingStart: time + 20, processingEnd: time + 20 }, { startTime: time, duration: 120, name: 'click', interactionId: 7, processingStart: time + 20, processingEnd: time + 90, target: new FakeElement() }, { startTime: time, duration: 120, name: 'mouseover', interactionId: 0 });
happens('event', { startTime: time + 130, duration: 40, name: 'pointerdown', interactionId: 7, processingStart: time + 130, processingEnd: time + 160 });
happens('first-input', { startTime: time, duration: 16, name: 'keydown', processingStart: time, processingEnd: time });
happens('mark', null as never);
idle(500);
const marks = batches().flatMap(({ marks }) => marks);
assert.deepEqual(marks.filter(({ what }) => what !== 'long-task').map(({ what, name }) => [what, name.slice(0, 30)]), [['mark', 'here'], ['mark', 'there'], ['measure', 'm'.repeat(30)], ['interaction', 'click'], ['interaction', 'first input: keydown']]);
assert.deepEqual(marks.find(({ name }) => name === 'click'), { time: marks.find(({ name }) => name === 'here')!.time, duration: 120_000, what: 'interaction', name: 'click', detail: 'button#go waited 20 ms, handled 70 ms, drawn 30 ms later' });
assert.equal(marks.find(({ name }) => name === 'here')!.detail, 'why');
const busy = marks.filter(({ what }) => what === 'long-task'); // found by ticks
assert.equal(busy.length, 1);
// From the first tick in it to the last.
assert.ok(busy[0].duration! > 150_000 && busy[0].duration! <= 241_000, `a task of 240 ms is ${busy[0].duration} µs`);
idle(1000);
for (let i = 0; i < 500; i++) happens('mark', { startTime: performance.now(), duration: 0, name: 'again' });
idle(1500);
happens('mark', { startTime: performance.now(), duration: 0, name: 'later' });
idle(500);
assert.deepEqual(batches().flatMap(({ marks }) => marks).slice(-3).map(({ what, name }) => [what, name]), [['mark', 'again'], ['note', '450 more marks in one second'], ['mark', 'later']]);

// The data that Mozilla's frame() and event() attach, as it is when it is sent.
const { attach } = globalThis.__fieldprof!;
const data: Record<string, unknown> = {};
attach!('frame', 'frame()', data);
attach!('mark', 'saved', { value: 7 });
Object.assign(data, { route: '/cart', items: 3, shown: true, node: page, long: 'x'.repeat(1000) });
Object.defineProperty(data, 'private', { get: () => assert.fail('the page sees it'), enumerable: true });
idle(500);
assert.deepEqual(
  batches().flatMap(({ marks }) => marks).slice(-2).map(({ what, name, detail }) => [what, name, detail]),
  [['frame', 'frame()', `route: /cart, items: 3, shown: true, long: ${'x'.repeat(257)}`], ['mark', 'saved', 'value: 7']],
);

// A machine that sleeps: its clock stands still, or jumps.
slept += 60_000;
idle(500);
assert.equal(notes().filter((note) => note.includes('the machine slept for 60.')).length, 1);
pass(40_000);
idle(500);
assert.equal(notes().filter((note) => /nothing was sent for 4\d\.\d s/.test(note)).length, 1);

// A hidden page sends what it has, and takes no samples.
work(100);
const sent = batches().length;
page.hidden = true;
fire(page, 'visibilitychange');
assert.equal(batches().length, sent + 1);
idle(5000);
assert.ok(notes().some((note) => note.includes('while the page is hidden')));
const hidden = ticks();
idle(5000);
assert.equal(ticks(), hidden);
pass(60_000); // its timers hardly run
idle(500);
page.hidden = false;
pass(30_000);
assert.equal(notes().filter((note) => note.includes('nothing was sent')).length, 1, 'and that is no loss');
const old = FakeSocket.all.length;
fire(page, 'visibilitychange');
assert.equal(FakeSocket.all.length, old + 1, 'it was away for long: who knows what its connection is worth');
open();
hear({ type: 'welcome', acked: before, server: 's', profile: 5, interval: 10 });
idle(1000);
assert.ok(ticks() > hidden);
assert.ok(!batches().at(-1)!.notes.length);

// Into the back/forward cache and out again.
work(50);
const whole = batches().length;
fire(globalThis, 'pagehide', { persisted: true });
assert.equal(batches().length, whole + 1, 'what was left');
assert.equal(socket().closed, '1000 left');
assert.deepEqual(JSON.parse(store.get('fieldprof.live')!), { id: hello.id, interval: 10, clock: 'poll' });
const count = FakeSocket.all.length;
pass(600_000);
fire(globalThis, 'pageshow', { persisted: true });
assert.deepEqual([FakeSocket.all.length, store.size], [count + 1, 0]);
open();
hear({ type: 'welcome', acked: before, server: 's', profile: 5, interval: 10 });
assert.deepEqual([socket().sent[0].id, batches()[0].seq], [hello.id, before + 1]);
idle(500);
assert.ok(notes().includes('time: the page was left, and is back'));
assert.equal(notes().filter((note) => note.includes('nothing was sent')).length, 1, 'only the one from before');

// Another profile ends the one that runs, and begins all over.
hear({ type: 'start', profile: 6, interval: 1e9, clock: 'shared' });
const last = batches().at(-1)!;
assert.deepEqual([last.profile, last.ended], [5, true]);
work(100);
idle(300);
const next = batches().find(({ profile }) => profile === 6)!;
assert.deepEqual([next.began!.interval, next.records[0].id], [10, 2]);
assert.ok(Math.abs(next.began!.time - Date.now()) < 500);
hear({ type: 'start', profile: 6, interval: 5 });
idle(300);
assert.ok(batches().every(({ ended }, i) => !ended || i < batches().indexOf(next)), 'it runs already');
hear({ type: 'stop' });
assert.ok(batches().at(-1)!.ended);
const done = batches().length;
work(100);
idle(10_000);
assert.equal(batches().length, done);
assert.deepEqual([globalThis.__fieldprof!.flag[0], FakeObserver.all.size, globalThis.__fieldprof!.attach], [0, 0, undefined]);
const { account } = batches().at(-1)!;
assert.equal(account.raised, ticks(batches().filter(({ profile }) => profile === 6)));

// --- the next page ------------------------------------------------------------------

hear({ type: 'start', profile: 7, interval: 20, clock: 'poll' });
fire(globalThis, 'pagehide', { persisted: false });
load();
assert.equal(store.size, 0, 'it is taken');
work(300);
idle(260);
open();
const again = socket().sent[0];
assert.notEqual(again.id, hello.id);
assert.deepEqual([again.after, again.recording, again.interval], [hello.id, 1, 20]);
hear({ type: 'welcome', acked: 0, server: 's', profile: 1, interval: 20 });
assert.ok(ticks() > 10, 'it recorded at once');
// The server has none: it was stopped meanwhile.
fire(socket(), 'close', { code: 1001 });
idle(300);
open();
hear({ type: 'welcome', acked: 0, server: 't' });
assert.deepEqual([batches()[0].seq, batches().at(-1)!.ended], [1, true]);
fire(globalThis, 'pagehide');

// --- trouble ----------------------------------------------------------------------

// A page that was not recorded leaves its name; another's is not believed.
load();
open();
assert.deepEqual([socket().sent[0].after, socket().sent[0].recording], [again.id, undefined]);
store.set('fieldprof.live', '{"id":"<script>","interval":10}');
load();
open();
assert.deepEqual([socket().sent[0].after, socket().sent[0].recording], [undefined, undefined]);

// No storage, no sockets for a while: recording goes on all the same.
define({ sessionStorage: { getItem() { throw new Error('denied') }, setItem() { throw new Error('denied') } } });
load();
open();
hear({ type: 'welcome', acked: 0, server: 's', profile: 1, interval: 10 });
policy = true;
fire(socket(), 'close', { code: 1006 });
work(500);
idle(20_000);
fire(globalThis, 'pagehide');
fire(globalThis, 'pageshow', { persisted: true });
policy = false;
idle(6000);
open();
hear({ type: 'welcome', acked: 0, server: 's', profile: 1, interval: 10 });
assert.ok(ticks() > 2000, 'nothing is missing');
for (const odd of ['', '{', 'null', '[]', '{"type":"start","profile":"x","interval":{}}', '{"type":"welcome"}']) fire(socket(), 'message', { data: odd });

// Globals that the page replaces afterwards do not matter.
load();
const forbidden = () => {
  throw new Error('the page sees it');
};
const { setTimeout, WebSocket } = globalThis;
const { send } = FakeSocket.prototype;
const { addEventListener } = EventTarget.prototype;
define({ setTimeout: forbidden, WebSocket: forbidden });
FakeSocket.prototype.send = EventTarget.prototype.addEventListener = forbidden;
open();
hear({ type: 'welcome', acked: 0, server: 's', profile: 1, interval: 10 });
work(100);
idle(300);
fire(socket(), 'close', { code: 1006 });
idle(300);
assert.equal(FakeSocket.all.length, 2);
define({ setTimeout, WebSocket });
Object.assign(FakeSocket.prototype, { send });
Object.assign(EventTarget.prototype, { addEventListener });

// A second copy does nothing, nor does one without a token.
const sockets = FakeSocket.all.length;
page.currentScript = { src: 'http://a.example:81/__fieldprof/live.js', dataset: { source: 'x' } };
(0, eval)(script);
assert.equal(FakeSocket.all.length, sockets);
load('A page', {});
assert.equal(FakeSocket.all.length, 0);

// A worker says so.
listeners = [];
delete (globalThis as { __fieldprof?: unknown }).__fieldprof;
define({ document: undefined, name: 'sorter', __fieldprofSource: 'secret', __fieldprofBuild: 'b1', location: { href: 'https://a.example/js/worker.js', origin: 'https://a.example', pathname: '/js/worker.js' } });
(0, eval)(script);
assert.ok(!('__fieldprofSource' in globalThis) && !('__fieldprofBuild' in globalThis));
assert.equal(socket().url, 'wss://a.example/__fieldprof/source');
open();
assert.deepEqual([socket().sent[0].what, socket().sent[0].name, socket().sent[0].url, socket().sent[0].build], ['worker', 'worker.js (sorter)', 'https://a.example/js/worker.js', 'b1']);
console.log('it streams');
