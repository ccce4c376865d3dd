// Says ready, then runs tests that the driver sends, one JSON line each, every
// run in a realm of its own, and answers each run with one line: how it ended.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import v8 from 'node:v8';
import vm from 'node:vm';

// A test that has not ended after this many turns of the event loop never will:
// nothing in these tests waits for a clock.
const patience = 2000;

const undetectable = undetectables();
const harness = new Map();
process.on('unhandledRejection', () => {}); // the test's own business

// outcome gives {outcome, parsed, taken}.
async function outcome(test, run) {
  const realm = makeRealm(run.runtime);
  const state = { realm, files: new Map(), links: Promise.resolve(), root: run.root, printed: '' };
  hide(realm.global, 'print', (text) => { state.printed ||= String(text); });
  const answer = { outcome: 'pass', parsed: false, taken: 0 };
  try {
    for (const name of test.includes) included(name, test.harness).runInContext(realm.context);
    await execute(test, run, state, answer);
    if (test.async) await done(state);
  } catch (e) {
    answer.outcome = e instanceof Phased ? `${e.phase}: ${describe(e.cause)}` : `runtime: ${describe(e)}`;
    // V8's message for text that does not parse depends on the text around it.
    if (answer.outcome.startsWith('parse: ')) answer.outcome = answer.outcome.replace(/(parse: \w+):[^]*/, '$1');
  }
  answer.outcome = answer.outcome.replaceAll(run.root, '');
  answer.taken = realm.taken();
  return answer;
}

class Phased {
  constructor(phase, cause) { this.phase = phase; this.cause = cause; }
}

async function execute(test, run, state, answer) {
  const file = path.join(run.root, test.file);
  const importModuleDynamically = (specifier, _, attributes) => importInto(state, file, specifier, attributes);
  if (!test.module) {
    const script = phase('parse', () => new vm.Script(run.code, { filename: file, importModuleDynamically }));
    answer.parsed = true;
    script.runInContext(state.realm.context);
    return;
  }
  const main = phase('parse', () => makeModule(state, file, run.code));
  answer.parsed = true;
  state.files.set(file + '\0', main);
  try {
    await link(state, main);
  } catch (e) {
    throw new Phased('resolution', e);
  }
  await settled(main.evaluate());
}

function phase(name, f) {
  try {
    return f();
  } catch (e) {
    throw new Phased(name, e);
  }
}

// settled waits for a promise, which may never be kept.
async function settled(promise) {
  let waits = true;
  promise.finally(() => { waits = false; }).catch(() => {});
  await until(() => !waits, 'the module never ended');
  return promise;
}

async function until(holds, message) {
  for (let turn = 0; !holds(); turn++) {
    if (turn === patience) throw new Error(message);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

// done waits until the test has called $DONE.
async function done(state) {
  await until(() => state.printed, '$DONE was not called');
  if (state.printed !== 'Test262:AsyncTestComplete') throw new Error(state.printed);
}

// Modules

function makeModule(state, file, code) {
  return new vm.SourceTextModule(code, {
    identifier: file,
    context: state.realm.context,
    importModuleDynamically: (specifier, _, attributes) => importInto(state, file, specifier, attributes),
  });
}

async function importInto(state, from, specifier, attributes) {
  const module = find(state, from, specifier, attributes);
  await link(state, module);
  if (module.status !== 'evaluating') await module.evaluate();
  return module;
}

// link links one root after the other: two at once may meet in a module.
function link(state, module) {
  const linked = state.links.then(() => {
    if (module.status !== 'unlinked') return undefined;
    return module.link((specifier, from, extra) => find(state, from.identifier, specifier, extra.attributes ?? extra.assert));
  });
  state.links = linked.catch(() => {});
  return linked;
}

function find(state, from, specifier, attributes) {
  const type = attributes?.type ?? '';
  const file = specifier === 'fieldprof:checks' ? specifier : path.resolve(path.dirname(from), specifier);
  const key = `${file}\0${type}`;
  let module = state.files.get(key);
  if (!module) {
    module = file === specifier ? makeModule(state, file, 'export const {flag,entry,loop,exit}=globalThis.__fieldprof')
      : type === 'json' ? jsonModule(state, file) : makeModule(state, file, fs.readFileSync(file, 'utf8'));
    state.files.set(key, module);
  }
  return module;
}

function jsonModule(state, file) {
  const value = vm.runInContext('JSON.parse', state.realm.context)(fs.readFileSync(file, 'utf8'));
  const module = new vm.SyntheticModule(['default'], () => module.setExport('default', value), { context: state.realm.context, identifier: file });
  return module;
}

// Realms

function makeRealm(runtime) {
  const context = vm.createContext({});
  const global = vm.runInContext('globalThis', context);
  const realm = { context, global, taken: () => 0 };
  hide(global, '$262', {
    global,
    createRealm: () => makeRealm().global.$262,
    detachArrayBuffer: (buffer) => { structuredClone(buffer, { transfer: [buffer] }); return null; },
    evalScript: (code) => vm.runInContext(code, context, { filename: 'evalScript' }),
    gc: globalThis.gc,
    IsHTMLDDA: undetectable.runInContext(context),
    agent: {},
  });
  if (runtime) realm.taken = vm.runInContext(runtimes[runtime], context);
  return realm;
}

// The runtime's core: functions show their source's text with it.
const core = fs.readFileSync(new URL('checks.cjs', import.meta.url), 'utf8');

// The runtimes give a function that counts the samples that were taken.
const runtimes = {
  // The flag never rises, so capture must never be called.
  idle: install(0, "throw new Error('captured while idle')"),
  // The flag is up at every check, and each captures.
  armed: install(1, 'new E().stack'),
};

function install(flag, capture) {
  return `(() => {
  (() => { const module = { exports: {} }; ${core} })();
  const E = Error, flag = new Int32Array(2);
  let taken = 0;
  flag[0] = ${flag};
  const capture = (kind) => { taken++; ${capture} };
  flag.c = { c: capture };
  const check = (kind) => { if ((flag[1] = flag[0])) capture(kind) };
  Object.defineProperty(globalThis, '__fieldprof', { value: {
    flag, entry() { check(0) }, loop() { check(1) }, exit(value) { check(2); return value },
  } });
  return () => taken;
})()`;
}

function included(name, folder) {
  let script = harness.get(name);
  if (!script) {
    const file = path.join(folder, name);
    script = new vm.Script(fs.readFileSync(file, 'utf8'), { filename: file });
    harness.set(name, script);
  }
  return script;
}

function hide(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false });
}

// describe names what was thrown: class and message.
function describe(e) {
  try {
    if (e === null || (typeof e !== 'object' && typeof e !== 'function')) return `${typeof e} ${String(e)}`;
    return `${e.constructor?.name ?? e.name}: ${e.message}`;
  } catch {
    return 'an object that cannot be described';
  }
}

// undetectables makes a script that gives an object like document.all.
function undetectables() {
  v8.setFlagsFromString('--allow-natives-syntax');
  const script = new vm.Script('%GetUndetectable()');
  script.runInThisContext(); // compiles
  v8.setFlagsFromString('--no-allow-natives-syntax');
  return script;
}

fs.writeSync(1, 'ready\n');
for await (const line of readline.createInterface({ input: process.stdin })) {
  const test = JSON.parse(line);
  for (const run of test.runs) {
    const answer = await outcome(test, run);
    // Written at once: the next run may take the process down.
    fs.writeSync(1, JSON.stringify(answer) + '\n');
  }
}
