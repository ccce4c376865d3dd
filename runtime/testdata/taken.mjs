// A page's scripts take names of globals, before the runtime's other files are loaded: profiles
// have their samples, and nothing reaches the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { classic } from './realm.mjs';

const { Event, Headers, Object, Promise, performance, setImmediate } = globalThis;
const file = (name) => new URL(`../dist/${name}`, import.meta.url).href;
const run = (text) => vm.runInThisContext(text, { filename: file('runtime.js'), importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });

// Objects may have what would be part of a descriptor.
const taken = ['get', 'set'].map((name) => `Object.prototype.${name}`);
run(`${taken.map((name) => name + ' = 1;').join('')} ${classic.trim()} ${taken.map((name) => `delete ${name};`).join('')}`);
assert.equal(globalThis.__fieldprof.version, 1);
assert.equal(String(globalThis.Profiler.prototype), '[object Profiler]');
assert.deepEqual(Object.keys(globalThis.Profiler.prototype), ['sampleInterval', 'stopped', 'stop']);

const { Profiler } = globalThis;

// Every name that a file might read, but for a few that runtime.js reads late, too: there is no room for more in it.
const late = ['DOMException', 'Math', 'Promise', 'RangeError', 'Reflect', 'TypeError', 'URL', 'isFinite'];
const later = ['trace.js', 'send.js', 'interactions.js', 'performance.js'];
const text = later.map((name) => readFileSync(new URL(file(name)), 'utf8')).join('\n');
const words = new Set(text.match(/[A-Za-z]\w*/g));
const replaced = ['Map', 'Set', 'performance'];
const names = Object.getOwnPropertyNames(globalThis).filter((name) => words.has(name) && Object.getOwnPropertyDescriptor(globalThis, name).configurable);
assert.ok(names.length > 30 && replaced.every((name) => names.includes(name)), String(names));
run(names.filter((name) => !['globalThis', 'eval', ...late, ...replaced].includes(name)).map((name) => `class ${name} {}`).join('\n'));
for (const name of replaced) Object.defineProperty(globalThis, name, { value: {}, configurable: true, writable: true });

function work(until) {
  const { flag } = globalThis.__fieldprof;
  while (!until()) if ((flag[1] = flag[0])) flag.c.c(1);
}
const turn = () => new Promise((done) => setImmediate(done));

const events = [];
const listen = (profiler) => profiler.addEventListener('samplebufferfull', (event) => events.push(event instanceof Event));
async function samplesOf(profiler) {
  listen(profiler);
  const { length } = events;
  while (events.length === length) {
    const begun = performance.now();
    work(() => performance.now() > begun + 20);
    await turn();
  }
  const { samples } = await profiler.stop();
  return samples.filter(({ stackId }) => stackId !== undefined).length;
}
assert.ok((await samplesOf(new Profiler({ sampleInterval: 1, maxBufferSize: 3 }))) > 0);
const { profile } = await import(file('performance.js'));
assert.ok((await samplesOf(await profile({ sampleInterval: 1, maxBufferSize: 3 }))) > 0);
assert.deepEqual(events, [true, true]);

// Sending and observing find nothing missing.
Object.defineProperty(globalThis, 'location', { value: { href: 'https://a.example/', origin: 'https://a.example', pathname: '/', protocol: 'https:', host: 'a.example' } });
globalThis.fetch = async () => ({ ok: true, headers: new Headers(), arrayBuffer: async () => {} });
const { send } = await import(file('send.js'));
const notes = [];
const sending = send({ url: 'https://a.example/profiles', compress: false, sampleInterval: 10, onnote: (note) => notes.push(note) });
for (let i = 0; i < 20 && !sending.active; i++) await turn();
assert.ok(sending.active, notes.join());
await sending.stop();
assert.deepEqual(notes, []);

const { observe } = await import(file('interactions.js'));
const observing = observe({ onnote: (note) => notes.push(note) });
await observing.slices();
await observing.stop();
assert.deepEqual(notes, []);
