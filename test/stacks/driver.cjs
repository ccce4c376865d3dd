// Runs a variant of a program and reports the stacks of errors in it. Reads
// {args, variant: {file, code, map}} from stdin and writes {output, stacks,
// places, taken}: a stack is a list of frames [text, line, column] without the
// driver's and Node's, line and column 0 outside of the program; places maps
// "line:column" to what trace-mapping makes of it.
'use strict';
const fs = require('node:fs');
const vm = require('node:vm');
const { TraceMap, originalPositionFor } = require('@jridgewell/trace-mapping');

// Stacks are noted at calls of builtins: at each of the first ones, then at
// one in some.
const dense = 400;
const sparse = 53;
const enough = 1200;
// A call that throws, by its number. Each is a run of its own.
const throwing = [1, 10, 57, 300, 1201];

const { push, join } = Array.prototype;
const apply = Reflect.apply;
let file = '';
let noted = null; // the stacks; null while no program runs
let calls = 0;
let throwAt = 0;

Error.stackTraceLimit = 100;
Error.prepareStackTrace = (error, sites) => {
  const before = noted;
  noted = null;
  const frames = [];
  for (const site of sites) {
    const from = site.getFileName() ?? '';
    if (from === __filename || from.startsWith('node:')) continue;
    const inside = from === file;
    const line = inside ? site.getLineNumber() : 0;
    const column = inside ? site.getColumnNumber() : 0;
    const text = site.toString().replace(/[\w.]+\.js:\d+:\d+/g, 'at'); // in the origin of an eval too
    apply(push, frames, [[text, line, column]]);
  }
  noted = before;
  return frames;
};

// trip is called wherever a stack may be noted or an error thrown.
function trip() {
  if (noted === null) return;
  calls++;
  if (calls === throwAt) {
    const error = new Error('thrown by a builtin');
    note(error);
    throw error;
  }
  if (throwAt === 0 && noted.length < enough && (calls <= dense || calls % sparse === 0)) note(new Error());
}

function note(error) {
  if (noted === null) return;
  const { stack } = error;
  if (Array.isArray(stack)) apply(push, noted, [stack]);
}

globalThis.$trip = trip;
globalThis.$caught = note;
for (const [object, names] of [
  [Array.prototype, 'concat every filter find forEach indexOf join map pop push reduce shift slice some sort splice unshift'],
  [String.prototype, 'charAt charCodeAt codePointAt endsWith indexOf match replace slice split startsWith substring trim toLowerCase'],
  [RegExp.prototype, 'exec test'], [Map.prototype, 'get has set'], [Set.prototype, 'add has'], [JSON, 'parse stringify'],
  [Math, 'abs floor imul max min round sqrt'], [Object, 'assign create defineProperty freeze keys'], [Number.prototype, 'toFixed toString'],
]) {
  for (const name of names.split(' ')) {
    const builtin = object[name];
    Object.defineProperty(object, name, { writable: true, configurable: true, value: { [name](...args) { trip(); return apply(builtin, this, args); } }[name] });
  }
}

// Time passes by one millisecond a look, and timers run one after the other.
let now = 0;
const timers = [];
Date.now = () => { trip(); return ++now; };
performance.now = () => { trip(); return ++now; };
globalThis.setTimeout = (f, delay = 0, ...args) => {
  const at = now + delay;
  let i = timers.length;
  while (i > 0 && timers[i - 1].at > at) i--;
  timers.splice(i, 0, { at, f: () => f(...args) });
};
globalThis.setImmediate = (f) => globalThis.setTimeout(f, 0);
const { setImmediate: turn } = require('node:timers');

let printed = '';
console.log = (...words) => { printed += apply(join, words, [' ']) + '\n'; };
let failure = null;
process.on('uncaughtException', (e) => { failure = e; });
process.on('unhandledRejection', (e) => { failure = e; });

async function run(script) {
  calls = 0;
  failure = null;
  const all = [];
  now = 0;
  timers.length = 0;
  noted = all;
  try {
    script.runInThisContext();
    for (;;) {
      for (let i = 0; i < 20 && timers.length === 0; i++) await new Promise((resolve) => turn(resolve));
      if (timers.length === 0) break;
      const { at, f } = timers.shift();
      now = Math.max(now, at);
      f();
    }
  } catch (e) {
    failure = e;
  }
  if (failure !== null && Array.isArray(failure.stack)) note(failure);
  noted = null;
  return all;
}

async function variant({ file: name, code, map }) {
  file = name;
  printed = '';
  const script = new vm.Script(code, { filename: name });
  throwAt = 0;
  const stacks = await run(script);
  for (throwAt of throwing) stacks.push(...(await run(script)));
  const traced = new TraceMap(map);
  const places = {};
  for (const [, line, column] of stacks.flat()) {
    if (line === 0) continue;
    const o = originalPositionFor(traced, { line, column: column - 1 });
    places[`${line}:${column}`] = o.source === null ? '' : `${o.source}:${o.line}:${o.column + 1}`;
  }
  return { output: printed, stacks, places };
}

// Every check captures; its captures are of no interest here.
let taken = 0;
const flag = new Int32Array([1, 0]);
const capture = () => { taken++; };
flag.c = { c: capture };
Object.defineProperty(globalThis, '__fieldprof', { value: { flag, entry: capture, loop: capture, exit(value) { taken++; return value; } } });

(async () => {
  const { args, variant: v } = JSON.parse(fs.readFileSync(0, 'utf8'));
  process.argv = ['node', 'program', ...args];
  globalThis.require = require;
  const result = await variant(v);
  fs.writeFileSync(1, JSON.stringify({ ...result, taken }));
  process.exit(0);
})();
