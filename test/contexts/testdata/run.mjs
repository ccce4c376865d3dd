// Runs the programs in the folders of a tree, one after the other, and writes what each
// says in each context: run.mjs TREE COUNT original|idle|armed|counting
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const [, , tree, count, how] = process.argv;
const require = createRequire(import.meta.url);
const runtime = path.join(tree, '0/fieldprof/checks.cjs');

const arm = (checks) => {
  checks.recorder = () => {
    globalThis.captured = true;
    checks.flag[0] = 1;
  };
  checks.flag[0] = 1;
};

// The functions that a program may use. It says at most so much: some never end by themselves. Modules
// are loaded one after the other, since files come in any order.
const prelude = `
  var log = [], pending = [], chain = Promise.resolve(), fuel = 0;
  function p(...values) {
    if (++fuel > 300) throw new RangeError('too long');
    log.push(values.map(show).join());
    return values[0];
  }
  function show(v) {
    if (typeof v === 'function') return 'function ' + v.name + '/' + v.length;
    if (v === globalThis) return 'global';
    if (typeof v === 'object' && v) return Object.prototype.toString.call(v) + Object.keys(v);
    return typeof v + ' ' + String(v);
  }
  function next(load) { pending.push((chain = chain.then(load, load))); return chain; }
  function setLater(f) { Promise.resolve().then(f).catch((e) => log.push('later ' + e)); }`;

// Waits for the promise jobs of all that ran, and for the modules that these load.
async function settled(pending) {
  do {
    await Promise.allSettled(pending.splice(0));
    for (let i = 0; i < 60; i++) await null;
  } while (pending.length > 0);
}

function realm() {
  const context = vm.createContext({});
  if (how !== 'original') {
    vm.runInContext(`(() => { const module = { exports: {} }; ${fs.readFileSync(runtime, 'utf8')} })()`, context);
    if (how === 'armed') vm.runInContext(`(${arm})(__fieldprof)`, context);
  }
  vm.runInContext(prelude, context);
  return context;
}

// V8 shows the texts of callees and of functions that serve as names, which checks are part of,
// and has two messages for a name that is not there yet.
const told = (e) => `threw ${e?.name ?? e}${/^(Syntax|Reference)Error$/.test(e?.name) ? '' : `: ${String(e?.message).split('\n')[0].replace(/^.* is not|\(reading .*/, '')}`}`;

// The messages of a script that is run in a realm of its own.
async function inRealm(text, ...runs) {
  const context = realm();
  for (const run of runs) {
    try {
      run(context, text);
    } catch (e) {
      context.log.push(told(e));
    }
  }
  await settled(context.pending);
  return context.log.join('\n');
}

const asScript = (context, text) => new vm.Script(text, { filename: 's.js' }).runInContext(context, { timeout: 60000 });
const evaluated = (code) => (context, text) => {
  context.text = text;
  vm.runInContext(code, context, { timeout: 60000 });
};

async function inHere(start) {
  globalThis.log.length = 0;
  globalThis.fuel = 0;
  try {
    await start();
  } catch (e) {
    globalThis.log.push(told(e));
  }
  await settled(globalThis.pending);
  return globalThis.log.join('\n');
}

vm.runInThisContext(prelude);
process.on('unhandledRejection', () => {});
if (how === 'armed') {
  require(runtime);
  arm(globalThis.__fieldprof);
}
const answers = [];
for (let i = 0; i < Number(count); i++) {
  const folder = path.join(tree, String(i));
  const text = fs.readFileSync(path.join(folder, 's.js'), 'utf8').replace(/^\ufeff/, '');
  answers.push({
    script: await inRealm(text, asScript),
    'script twice': await inRealm(text, asScript, asScript),
    'evaluated twice': await inRealm(text, evaluated('(0, eval)(text)'), evaluated('(0, eval)(text)')),
    'evaluated within a function': await inRealm(text, evaluated('(function (a) { var $f = 1; eval(text) })(5)')),
    'evaluated in strict code': await inRealm(text, evaluated('(function (a) { "use strict"; eval(text) })(5)')),
    'as the body of a function': await inRealm(text, evaluated('new Function("exports", text)({})')),
    commonjs: await inHere(() => require(path.join(folder, 'c.cjs'))),
    module: await inHere(() => import(pathToFileURL(path.join(folder, 'm.mjs')))),
    graph: await inHere(() => import(pathToFileURL(path.join(folder, 'm0.mjs')))),
  });
}
const counted = globalThis.__fieldprof?.counts?.().includes('"entry":') ?? false;
process.stdout.write(JSON.stringify({ Answers: answers, Captured: counted || globalThis.captured === true }));
