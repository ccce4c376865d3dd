// Where the object cannot be made, checks find a flag that never rises, and
// the page is none the wiser.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { classic, realm, unshared } from './realm.mjs';

// The head of an instrumented script, and a check (transform/prologue.go).
const script = 'var f,{}=f&&f.c||(f=(globalThis.__fieldprof||0).flag||[0,0]);(f[1]=f[0])&&f.c.c(0);"ran"';

for (const prepare of Object.values(unshared)) {
  const page = realm(prepare);
  assert.ok(page.load().flag.buffer instanceof page.run('ArrayBuffer'));
  assert.equal(page.run(script), 'ran');
}

// The name is the page's.
for (const taken of ['"mine"', '0', 'null', 'undefined', '[]', '() => 1', '{ version: 0 }']) {
  const page = realm(`globalThis.__fieldprof = ${taken}`);
  const before = page.run('__fieldprof');
  assert.equal(page.load(), before, taken);
  assert.equal(page.run(script), 'ran', taken);
  const { flag, exit } = page.require();
  flag[0] = 1;
  assert.equal(exit(taken), taken);
  assert.equal(flag[0], 0, 'the tick is dropped');
}
{
  const page = realm('Object.defineProperty(globalThis, "__fieldprof", { get() { throw new Error("mine") } })');
  page.run(classic);
  assert.equal(page.require().exit(1), 1);
}

// A frozen global object, as a real one can be in a worker.
const frozen = `
  const { parentPort, workerData } = require('node:worker_threads');
  const vm = require('node:vm');
  Object.freeze(globalThis);
  vm.runInThisContext(workerData);
  const { exit } = require(${JSON.stringify(new URL('../dist/checks.cjs', import.meta.url).pathname)});
  const f = (globalThis.__fieldprof || 0).flag || [0, 0];
  parentPort.postMessage([Object.isFrozen(globalThis), typeof globalThis.__fieldprof, f, exit('value')]);`;
const [message] = await once(new Worker(frozen, { eval: true, workerData: classic }), 'message');
assert.deepEqual(message, [true, 'undefined', [0, 0], 'value']);
