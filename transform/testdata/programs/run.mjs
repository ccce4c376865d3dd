// Reads programs, a JSON object a line, until so many of them are valid; runs each as it is
// and instrumented, idle and armed or counting, and writes what differed.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import readline from 'node:readline';
import vm from 'node:vm';

const acorn = createRequire(new URL('../../../fixtures/package.json', import.meta.url))('acorn');
const wanted = Number(process.argv[2]);
const settings = ['balanced', 'precise', 'balanced compact', 'precise compact', 'counting'];
const verdict = { Valid: 0, Passed: 0, Counted: 0, Failures: [] };

// A realm serves a hundred programs: they leave nothing behind.
const prelude = `
  var log = [], fuel = 0;
  function p(v) { if (++fuel > 200) throw 'too long'; log.push(show(v)); return p }
  function show(v) {
    if (typeof v === 'function') return 'function ' + v.name + '/' + v.length;
    if (v === globalThis) return 'global';
    if (typeof v === 'object' && v) return Object.prototype.toString.call(v) + Object.keys(v);
    return typeof v + ' ' + String(v);
  }
  function see(v, what) {
    log.push(what + show(v));
    if (v && typeof v.next === 'function') step(v, 0);
    else if (v && typeof v.then === 'function') v.then((v) => see(v, 'resolved '), (e) => log.push('rejected ' + show(e)));
    else if (typeof v === 'function' && v !== p && !/^class/.test(what)) { try { see(v(1), 'called '); } catch (e) { log.push('threw ' + (e instanceof Error ? e.name : show(e))); } }
  }
  function step(g, n) {
    if (n > 6) return;
    const r = g.next(n);
    if (typeof r.then === 'function') r.then((r) => { log.push('step ' + r.done + show(r.value)); r.done || step(g, n + 1); }, (e) => log.push('rejected ' + (e instanceof Error ? e.name : show(e))));
    else { log.push('step ' + r.done + show(r.value)); r.done || step(g, n + 1); }
  }
  function run(t) {
    for (const a of [1, 0]) {
      fuel = 0;
      try { see(t(a), 'gives '); } catch (e) { log.push('threw ' + (e instanceof Error ? e.name + ': ' + e.message.replace(/^.* is not.*|^Cannot .*/, 'is not') : show(e))); }
    }
  }`;

// The runtime itself, so that functions' texts are the source's.
const core = `(() => { const module = { exports: {} }; ${fs.readFileSync(new URL('../../../runtime/dist/checks.cjs', import.meta.url), 'utf8')} })()`;

const counting = fs.readFileSync(new URL('../../../runtime/counting/counting.js', import.meta.url), 'utf8');

function realm(prepare) {
  const context = vm.createContext({});
  if (prepare) vm.runInContext(`${core}; (${prepare})(__fieldprof)`, context);
  vm.runInContext(prelude, context);
  return context;
}

function countingRealm() {
  const context = vm.createContext({});
  vm.runInContext(`globalThis.performance = { now: Date.now }; ${counting}`, context);
  vm.runInContext(prelude, context);
  return context;
}

let realms;
function refresh() {
  realms = {
    original: realm(),
    idle: realm('(checks) => { checks.recorder = () => { throw new Error("captured while idle"); }; }'),
    counting: countingRealm(),
    armed: realm('(checks) => { checks.flag[0] = 1; checks.recorder = () => { checks.flag[0] = 1; }; }'),
  };
}

async function run(script, context) {
  context.log.length = 0;
  try {
    script.runInContext(context, { timeout: 20000 });
  } catch (e) {
    context.log.push('the program threw ' + (e?.name ?? e));
  }
  for (let i = 0; i < 40; i++) await null; // promise jobs of a context run with ours
  return context.log.join('\n');
}

const compile = (text) => {
  try {
    return new vm.Script(text, { filename: 'program.js' });
  } catch {
    return null;
  }
};

const valid = (text) => {
  try {
    acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'script' });
    return true;
  } catch {
    return false;
  }
};

process.on('unhandledRejection', () => {});
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { Source, Instrumented } = JSON.parse(line);
  const original = compile(Source);
  if (!original) continue;
  if (verdict.Valid++ % 100 === 0) refresh();
  const want = await run(original, realms.original);
  // To acorn, too. It takes some slashes after a class for regular expressions.
  const known = valid(Source) && !/class[^]*\}[^]*\//.test(Source);
  let passed = false;
  const before = verdict.Failures.length;
  for (const [i, text] of Instrumented.entries()) {
    if (verdict.Failures.length > before) break; // one a program tells enough
    const fail = (how, got) => verdict.Failures.push({ Source, Setting: `${settings[i]}, ${how}`, Instrumented: text, Got: got, Want: want });
    if (!text) {
      passed = true;
      continue;
    }
    const script = compile(text);
    if (!script) {
      fail('compiled', 'a syntax error');
      continue;
    }
    if (known && !valid(text)) fail('parsed by acorn', 'a syntax error');
    for (const how of settings[i] === 'counting' ? ['counting'] : ['idle', 'armed']) {
      const got = await run(script, realms[how]);
      if (got !== want) fail(how, got);
      if (how === 'counting') verdict.Counted += /"(entry|exit)":[1-9]/.test(vm.runInContext('__fieldprof.counts()', realms.counting)) ? 1 : 0;
    }
  }
  if (passed) verdict.Passed++;
  if (passed && process.env.SHOW_PASSED) console.error('PASSED THROUGH', Source);
  if (verdict.Failures.length >= 20 || verdict.Valid >= wanted) break;
}
process.stdout.write(JSON.stringify(verdict));
process.stdin.destroy();
