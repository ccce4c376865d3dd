// Function tables while a profile runs, and traces that are made before they arrive.
import assert from 'node:assert/strict';

const page = 'https://a.example/page';
const requests = [];
const answers = new Map(); // by path: gives the response
const listeners = new Map();
const define = (values) => {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};
define({
  location: new URL(page),
  origin: 'https://a.example',
  addEventListener: (type, hear) => listeners.set(type, hear),
  removeEventListener: (type) => listeners.delete(type),
  fetch: (url, { priority }) => {
    const { pathname } = new URL(url);
    requests.push([pathname, priority]);
    return new Promise((answer) => answers.set(pathname, answer));
  },
});
const { checks } = await import('../../src/core/flag');
const { tape } = await import('../../src/recording/sampler');
const { askEarly } = await import('../../src/trace/early');
const { traceOf } = await import('../../src/trace/standard');
const { recordingOf, stackOf } = await import('./lib/recordings.mjs');

const settle = () => new Promise((done) => setTimeout(done, 5));
const table = JSON.stringify({ version: 1, file: 'x.js', strings: ['', 'work'], functions: [0, 1, 1, 9, 1, 0, 0, 1, 0, 3, 1 + 16 * 7, 0, 0, 2, 2, 0, 13, 1, 1, 1] }); // work 1:1 to 3:2
const script = (name) => `https://a.example/${name}.js`;
const entry = (stack, kind = 1, settings = {}) => ({ capture: { stack }, kind, sessions: [{ settings }] });
const names = ({ frames }) => frames.map(({ name, line, column }) => `${name} ${line}:${column}`);
const note = ({ fieldprof }) => fieldprof.lost.filter((lost) => lost.startsWith('function tables'));

askEarly();

// Each script is asked for once, when a sample shows that it runs; that is all a profile does.
const stack = stackOf(`main@${script('a')}:2:3 > t@${script('b')}:2:4`);
tape.look(entry(stack, 1, { tables: 'late' }));
await settle();
assert.deepEqual(requests, [], 'no trace may ever be made of it');
tape.look(entry(null, 3));
for (let i = 0; i < 3; i++) tape.look(entry(stack));
tape.look(entry(stackOf(`x@https://other.example/c.js:1:1 > main@${script('a')}:2:9`)));
assert.deepEqual(requests, [], 'nothing within a function of the page');
await settle();
assert.deepEqual(requests, [['/b.js.functions.json', 'low'], ['/a.js.functions.json', 'low']], 'nothing is asked of an origin that gave a script without CORS');
tape.look(entry(stackOf('x@https://other.example/c.js:1:1')));
await settle();
assert.equal(requests[2][0], '/c.js.functions.json', 'unless a check has run in it');

// A trace that is made at once waits for what is on its way, and asks for nothing twice.
const waiting = traceOf(recordingOf([[1, stack, 1]]));
await settle();
answers.get('/a.js.functions.json')(new Response(table));
answers.get('/b.js.functions.json')(new Response('', { status: 404 }));
assert.deepEqual([names(await waiting), note(await waiting), requests.length], [['work 1:14', 't 2:4'], [], 3]);

// A page that goes does not wait. Frames keep their positions until the tables are there.
const late = stackOf(`t@${script('late')}:2:3 > t@${script('late')}:2:9 > @${script('late')}:3:1`);
const going = traceOf(recordingOf([[1, late, 1], [2, stackOf(`t@${script('late')}:2:3`), 1]]));
await settle();
assert.deepEqual(requests.at(-1), ['/late.js.functions.json', undefined]);
listeners.get('pagehide')();
await settle();
let done = false;
void going.then(() => (done = true));
await settle();
assert.equal(done, false, 'an event alone is no reason');
checks.hurry = true;
listeners.get('pagehide')();
const gone = await going;
assert.deepEqual(names(gone), ['t 2:3', 't 2:9', ' 3:1']);
assert.match(note(gone)[0], /^function tables: those of 1 scripts were not loaded in time.*--tables DIR/);
assert.deepEqual([...listeners.keys()], ['pageshow', 'online'], 'of those that waited none is left');
const count = requests.length;
await traceOf(recordingOf([[1, stackOf(`t@${script('new')}:2:3`), 1]]));
assert.equal(requests.length, count, 'nothing is asked for while the page may go');
answers.get('/late.js.functions.json')(new Response(table));
await settle();
const later = await traceOf(recordingOf([[1, late, 1]]));
assert.deepEqual([names(later), note(later)], [['work 1:14'], []], 'it has come meanwhile');
checks.hurry = false;

// A page may leave names to its readers, or wait for the first trace.
for (const [tables, asked] of [['none', 0], ['late', 1]]) {
  tape.options.tables = tables;
  const before = requests.length;
  const stack = stackOf(`t@${script(`mode-${tables}`)}:2:3 > t@${script(`mode-${tables}`)}:2:9`);
  tape.look(entry(stack));
  await settle();
  assert.equal(requests.length, before);
  const made = traceOf(recordingOf([[1, stack, 1]]));
  await settle();
  assert.equal(requests.length, before + asked);
  answers.get(`/mode-${tables}.js.functions.json`)?.(new Response(table));
  assert.deepEqual([names(await made), note(await made).length], asked ? [['work 1:14'], 0] : [['t 2:3', 't 2:9'], 1]);
  if (!asked) assert.match(note(await made)[0], /were not asked for \(tables: none\)/);
}
