// Ticks are taken once, with their weight, and no recorder reaches the page.
import assert from 'node:assert/strict';
import { realm, unshared } from './realm.mjs';

for (const [name, prepare] of Object.entries({ shared: '', ...unshared })) {
  const checks = realm(prepare).load();
  const { flag, entry, loop, exit } = checks;
  const capture = (site) => flag.c.c(site);
  const samples = [];
  const raise = (ticks) => (flag[0] += ticks);

  raise(3);
  capture(0);
  assert.deepEqual([...flag], [0, 0], `${name}: without a recorder ticks are dropped`);

  checks.recorder = (kind, ticks) => samples.push([kind, ticks]);
  raise(1), raise(1), capture(1);
  assert.equal(flag[0], 0, name);
  capture(1);
  assert.deepEqual(samples.splice(0), [[1, 2]], `${name}: the weight, and no sample without a tick`);

  entry(), loop();
  assert.equal(exit('value'), 'value', name);
  assert.deepEqual(samples, [], `${name}: nothing pends`);
  raise(1), entry(), raise(2), loop(), raise(3);
  assert.equal(exit('value'), 'value', name);
  assert.deepEqual(samples.splice(0), [[0, 1], [1, 2], [2, 3]], name);

  // The write-back: the value that a check saw is in the second word.
  const seen = [];
  checks.recorder = () => seen.push(flag[1]);
  raise(4), entry(), raise(5), loop(), raise(6), exit();
  assert.deepEqual(seen, [4, 5, 6], name);
  entry();
  assert.equal(flag[1], 0, name);

  checks.recorder = (kind) => {
    samples.push(kind);
    throw new Error('a recorder in trouble');
  };
  raise(1), entry(), raise(1);
  assert.equal(exit(7), 7, name);
  assert.deepEqual(samples.splice(0), [0, 2], `${name}: a recorder that throws is called again`);
  checks.recorder = 'no function';
  raise(1), entry();
  assert.equal(flag[0], 0, name);

  // A recorder whose own calls are checked is not entered twice, and the tick
  // stays for the page's next check.
  checks.recorder = (kind, ticks) => {
    samples.push([kind, ticks]);
    if (samples.length < 5) raise(1), entry();
  };
  raise(1), loop();
  assert.deepEqual(samples.splice(0), [[1, 1]], name);
  assert.equal(flag[0], 1, name);
  capture(0);
  flag[0] = 0;

  // One that leaves the flag up sees every check.
  samples.length = 0;
  checks.recorder = (kind) => {
    samples.push(kind);
    flag[0] = 1;
  };
  raise(1);
  for (let i = 0; i < 3; i++) loop();
  exit();
  assert.deepEqual(samples, [1, 1, 1, 2], name);
}

// Atomics that are patched later do not matter.
const page = realm();
const { flag } = page.load();
page.run('Atomics.exchange = () => { throw new Error("patched") }; __fieldprof.recorder = (kind, ticks) => { globalThis.taken = ticks }');
flag[0] = 2;
flag.c.c(0);
assert.equal(page.run('taken'), 2);
assert.equal(flag[0], 0);
