// One object per realm, made by whichever script comes first.
import assert from 'node:assert/strict';
import { realm } from './realm.mjs';

{
  const page = realm();
  const checks = page.load();
  assert.deepEqual(Object.keys(checks), ['version', 'flag', 'recorder', 'left', 'entry', 'loop', 'exit']);
  assert.equal(checks.version, 1);
  assert.equal(checks.flag.length, 2);
  assert.equal(page.run('__fieldprof.flag instanceof Int32Array && __fieldprof.flag.buffer instanceof SharedArrayBuffer'), true);
  assert.deepEqual([...checks.flag, checks.recorder], [0, 0, null]);
  assert.equal(page.run('Object.keys(globalThis).length'), 0, 'the property does not show');
  assert.equal(page.run('{ let seen = 0; for (const name in globalThis) seen++; seen }'), 0);

  // A second script, and the module form of a second build.
  const recorder = () => {};
  checks.recorder = recorder;
  assert.equal(page.load(), checks);
  assert.equal(page.require().flag, checks.flag);
  assert.equal(checks.recorder, recorder);
  assert.notEqual(realm().load().flag, checks.flag, 'another realm has its own');
}
{
  // The module form comes first.
  const page = realm();
  const { flag, entry, loop, exit } = page.require();
  const checks = page.load();
  assert.deepEqual([flag, entry, loop, exit], [checks.flag, checks.entry, checks.loop, checks.exit]);
}
{
  // A version of the future was there before.
  const page = realm('globalThis.__fieldprof = { version: 7, flag: [0, 0], entry() {}, loop() {}, exit() {} }');
  const newer = page.run('__fieldprof');
  assert.equal(page.load(), newer);
  assert.equal(page.require().entry, newer.entry);
}
{
  // It cannot be assigned over by accident.
  const page = realm();
  const checks = page.load();
  assert.throws(() => page.run('"use strict"; globalThis.__fieldprof = 1'));
  assert.equal(page.run('__fieldprof'), checks);
}
