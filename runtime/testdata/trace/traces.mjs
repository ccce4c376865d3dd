// From recordings to traces.
import assert from 'node:assert/strict';
import { readings } from '../../src/stacks/format';
import { raw } from '../../src/trace/raw';
import { readTablesBy } from '../../src/trace/tables';
import { traceOf } from '../../src/trace/standard';
import { recordingOf, stackOf } from './lib/recordings.mjs';

// 1  function main() {          (
// 2    work();
// 3  }
// 4  function work(...all) {    checked, its parameters are filled first in `full`
// 8    method() {}
// 9    static still() {}
const app = {
  version: 1,
  file: 'app.js',
  strings: ['', 'main', 'work', 'leaf', 'method', 'still'],
  functions: [
    [0, 1, 1, 9, 1, 0, 0, 1, 0, 3],
    [1 + 16 * 7, 0, 0, 2, 2, 0, 13, 1, 1, 1], // main 1:1 to 3:2
    [1 + 16 * 7, 3, 1, 2, 2, 0, 13, 2, 2, 1], // work 4:1 to 6:2
    [3 + 16 * 0, 1, 5, 0, 9, 0, 0, 1, 3, 1], // leaf 5:5 to 5:14, without checks
    [4 + 16 * 7, 3, 3, 0, 11, 0, 6, 4, 4, 1], // method 8:3 to 8:14
    [4 + 16 * 7, 1, 3, 0, 16, 0, 12, 5, 5, 1], // static still 9:3 to 9:19
  ].flat(),
};
const asked = [];
readTablesBy(async (url) => {
  asked.push(url);
  if (url === '/site/app.js.functions.json') return JSON.stringify(app);
  if (url === '/site/wrong.js.functions.json') return JSON.stringify({ ...app, file: 'wrong.js' });
  if (url === '/site/broken.js.functions.json') return '<!doctype html>';
  if (url === '/site/throws.js.functions.json') throw new Error('no such disk');
  return null;
});

const main = 'x@/site/app.js:2:3';
const work = `${main} > y@/site/app.js:5:3`;
const leaf = `${work} > z@/site/app.js:5:7`;
const samples = [
  [100, stackOf(work), 1],
  [110, stackOf(work), 0],
  [120, stackOf(leaf), 2], // a check of an unchecked function: the owner is its caller
  [150, stackOf(work), 1, 3, 20],
  [160, null, 3],
  [170, null, 4],
  [180, stackOf(`m@/site/app.js:2:4 > y@/site/app.js:4:20`), 2],
  [190, stackOf('m@/site/app.js:2:4'), 0],
];
const account = { raised: 10, missed: 2, taken: 8, idle: 1, program: 1, lost: 0 };
const trace = await traceOf(recordingOf(samples, { account }));
assert.equal(account.taken, 8, 'the recording itself goes on');
assert.deepEqual(Object.keys(trace), ['frames', 'resources', 'samples', 'stacks', 'fieldprof']);
assert.equal(
  JSON.stringify(trace.frames),
  JSON.stringify([
    { column: 14, line: 1, name: 'main', resourceId: 0 },
    { column: 14, line: 4, name: 'work', resourceId: 0 },
  ]),
);
assert.deepEqual(trace.resources, ['/site/app.js']);
assert.equal(JSON.stringify(trace.stacks), '[{"frameId":0},{"frameId":1,"parentId":0}]');
assert.equal(JSON.stringify(trace.samples[0]), '{"stackId":1,"timestamp":100,"weight":1,"kind":"loop","skid":0}');
assert.deepEqual(
  trace.samples.map(({ stackId, timestamp, kind }) => [timestamp, stackId, kind]),
  [
    [100, 1, 'loop'],
    [110, 0, 'entry'],
    [120, 1, 'exit'],
    [130, 1, 'loop'],
    [140, 1, undefined],
    [150, 1, undefined],
    [160, undefined, 'idle'],
    [170, undefined, 'program'],
    [180, 1, 'exit'],
    [190, undefined, 'program'],
  ],
);
assert.ok(!('stackId' in trace.samples[6]));
// Markers are for isolated realms, in Chromium's order of fields.
assert.ok(trace.samples.every((sample) => !('marker' in sample)));
globalThis.crossOriginIsolated = true;
const { samples: marked } = await traceOf(recordingOf([...samples, [200, null, 5]]));
delete globalThis.crossOriginIsolated;
assert.deepEqual(
  marked.map(({ marker }) => marker),
  [...Array(6).fill('script'), undefined, 'other', 'script', 'other', 'gc'],
);
assert.equal(JSON.stringify(marked[0]), '{"marker":"script","stackId":1,"timestamp":100,"weight":1,"kind":"loop","skid":0}');
assert.equal(trace.samples.reduce((sum, sample) => sum + sample.weight, 0), 10);
const { fieldprof } = trace;
assert.deepEqual(fieldprof.lost, ['something']);
assert.deepEqual([fieldprof.version, fieldprof.clock, fieldprof.interval, fieldprof.seed], [1, 'shared', 10, 7]);
// The last sample is of a check, and of no function that has checks: the account agrees with the samples.
assert.deepEqual(fieldprof.account, { raised: 10, missed: 2, taken: 7, idle: 1, program: 2, lost: 0 });
const ticks = (kept) => trace.samples.filter(kept).length;
assert.equal(ticks(({ stackId }) => stackId !== undefined), fieldprof.account.taken);
assert.equal(ticks(({ kind }) => kind === 'program'), fieldprof.account.program);
assert.deepEqual(fieldprof.late, { count: 2, median: 0.5, p95: 0.5, max: 0.5 });
assert.equal(fieldprof.skid.max, 20);
JSON.stringify(trace);

// A table is asked for once, however many traces there are.
await traceOf(recordingOf(samples));
assert.deepEqual(asked, ['/site/app.js.functions.json']);

// Tables that are of something else, broken, or not there.
const strange = (url) => [
  [1, stackOf(`f@${url}:7:1`), 1], // in wrong.js this is the script, which has no loop check
  [2, stackOf(`f@${url}:7:1`), 1],
  [3, stackOf(`f@${url}:7:9`), 2],
  [4, stackOf(`f@${url}:1:1 > @${url}:2:2`), 2],
  [5, stackOf(`f@${url}:1:1 > @${url}:2:9`), 2],
];
for (const [url, why] of Object.entries({
  '/site/wrong.js': 'does not match',
  '/site/broken.js': 'no function table (SyntaxError',
  '/site/throws.js': 'no function table (Error): ',
  '/site/none.js': 'no function table:',
})) {
  const trace = await traceOf(recordingOf(strange(url)));
  assert.ok(trace.fieldprof.lost.some((lost) => lost.startsWith(url) && lost.includes(why)), `${trace.fieldprof.lost}`);
  assert.ok(!/no such disk|JSON/.test(`${trace.fieldprof.lost}`), 'what an error says stays where it is');
  assert.equal(
    JSON.stringify(trace.frames),
    JSON.stringify([
      { column: 1, line: 7, name: 'f', resourceId: 0 },
      { column: 2, line: 2, name: '', resourceId: 0 },
      { column: 9, line: 2, name: '', resourceId: 0 },
    ]),
    url,
  );
}
const short = await traceOf(recordingOf([[1, stackOf('f@/site/app.js:99:1 > x@/site/app.js:5:3'), 1]]));
assert.ok(short.fieldprof.lost.some((lost) => lost.includes('does not match')), 'a position behind the end');

// V8's frames say where functions begin. A method begins before its `(`, where the function around it runs.
const begun = await traceOf(
  recordingOf([
    [1, stackOf('main@/site/app.js:^1:1 > method@/site/app.js:^8:3'), 1],
    [2, stackOf('main@/site/app.js:^1:1 > still@/site/app.js:^9:10'), 2], // V8 leaves `static` out
  ]),
);
assert.deepEqual(
  [begun.fieldprof.lost, begun.frames.map(({ name, line, column }) => `${name}:${line}:${column}`)],
  [['something'], ['main:1:14', 'method:8:9', 'still:9:15']],
  'tables fit',
);

// Nothing rejects.
const broken = await traceOf(recordingOf([], { each: () => { throw new Error('out of memory'); } }));
assert.deepEqual([broken.samples, broken.fieldprof.lost.length], [[], 2]);

// The raw recording keeps everything as it was captured.
const captured = raw(recordingOf(samples));
assert.deepEqual(captured.samples.stack, [1, 1, 2, 1, -1, -1, 4, 3]);
assert.deepEqual(captured.samples.weight, [1, 1, 1, 3, 1, 1, 1, 1]);
assert.deepEqual(captured.samples.kind, [1, 0, 2, 1, 3, 4, 2, 0]);
assert.deepEqual(captured.stacks, [-1, 0, 0, 1, 1, 2, -1, 3, 3, 4]);
assert.deepEqual(captured.frames.slice(0, 8), [0, 1, 2, 3, 0, 2, 5, 3]);
assert.deepEqual(captured.strings, ['/site/app.js', 'x', 'y', 'z', 'm']);

// A million samples of deep stacks, some of them recursive.
const deep = [];
for (let i = 0; i < 100; i++) deep.push(stackOf(Array.from({ length: 200 }, (_, depth) => `f@/site/app.js:${2 + ((i + depth) % 2) * 3}:3`).join(' > ')));
const million = recordingOf([], {
  each(visit) {
    const captures = deep.map((stack) => ({ error: null, hidden: 0, stack }));
    for (let i = 0; i < 1e6; i++) visit(i / 100, captures[i % 100], i % 3, 1, 0.5);
  },
});
const began = performance.now();
const large = await traceOf(million);
assert.equal(large.samples.length, 1e6);
assert.equal(large.frames.length, 2);
assert.ok(large.stacks.length <= 2 * 200);
assert.equal(raw(million).samples.time.length, 1e6);
const endless = await traceOf(recordingOf([[1, deep[0], 1, 1e9, 0]]));
assert.deepEqual([endless.samples.length, endless.samples[0].weight], [1, 1e9]);
console.log(`a million samples in ${Math.round(performance.now() - began)} ms`);

// JavaScriptCore has two frames of a running async function: its body, and the
// call at its end. They are one, and an entry belongs to who called it.
readings.isJSC = true;
const twice = await traceOf(
  recordingOf([
    [1, stackOf('main@/site/app.js:2:3 > work@/site/app.js:4:15 > work@/site/app.js:5:3'), 0],
    [2, stackOf('main@/site/app.js:2:3 > work@/site/app.js:4:15 > work@/site/app.js:5:3'), 1],
    [3, stackOf('main@/site/app.js:2:3 > work@/site/app.js:5:9 > work@/site/app.js:5:3'), 1],
  ]),
);
const names = ({ stackId }) => {
  const found = [];
  for (let at = stackId; at !== undefined; at = twice.stacks[at].parentId) found.push(twice.frames[twice.stacks[at].frameId].name);
  return found.join(' < ');
};
assert.deepEqual(twice.samples.map(names), ['main', 'work < main', 'work < leaf < main']);
