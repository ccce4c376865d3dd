// Another thread raises the flag of one that is busy, and the loop sees it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { classic } from './realm.mjs';

// A classic worker: importScripts runs a script in the worker's own realm.
const busy = `
  const { parentPort, workerData } = require('node:worker_threads');
  const importScripts = require('node:vm').runInThisContext;
  importScripts(workerData);
  importScripts(\`
    var{flag:f=[0,0]}=globalThis.__fieldprof||0;
    function work() { let turns = 0; while (!globalThis.sample) { (f[1]=f[0])&&f.c.c(1); turns++ } return turns }
  \`);
  __fieldprof.recorder = (kind, ticks) => { globalThis.sample = [kind, ticks] };
  parentPort.postMessage(__fieldprof.flag);
  const turns = work();
  parentPort.postMessage([...sample, __fieldprof.flag[0], turns > 1000]);`;
const worker = new Worker(busy, { eval: true, workerData: classic });
const [flag] = await once(worker, 'message');
await new Promise((resolve) => setTimeout(resolve, 20)); // work is compiled by then
Atomics.add(flag, 0, 3);
const [message] = await once(worker, 'message');
assert.deepEqual(message, [1, 3, 0, true]);
