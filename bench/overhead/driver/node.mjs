// One invocation in Node: node node.mjs ORDER. Writes its result into a file.
import { openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { load } from './load.mjs';
import './module.js';
import { alternate } from './turns.mjs';

const order = JSON.parse(readFileSync(process.argv[2], 'utf8'));
await globalThis.fieldprof.loadParts();
process.argv.splice(1, Infinity, order.program, '0.001');

// The builds are loaded in either order; the clean one is the first of the pair.
const builds = [];
const both = order.swap ? [1, 0] : [0, 1];
for (const build of order.only === undefined ? both : [order.only]) builds[build] = load(order.builds[build], order.program);

/** The processor time of this thread in ns. */
let mainTime = () => 0;
try {
  const file = openSync('/proc/thread-self/schedstat');
  const text = Buffer.alloc(64);
  // The file shows the time up to when the kernel last looked: asking for the process's makes it look.
  mainTime = () => (process.cpuUsage(), parseInt(text.latin1Slice(0, readSync(file, text, 0, 64, 0))));
  mainTime();
} catch {
  // Not Linux: only newer versions of Node tell.
}
if (process.threadCpuUsage) {
  mainTime = () => {
    const { user, system } = process.threadCpuUsage();
    return 1e3 * (user + system);
  };
}

/** Instructions in user mode of all threads, from a counter that the bench opened. */
let instructions = () => 0;
if (order.counter) {
  const value = Buffer.alloc(8);
  instructions = () => (readSync(order.counter, value, 0, 8, null), Number(value.readBigUInt64LE()));
}

function meter() {
  const { user, system } = process.cpuUsage();
  return [mainTime(), 1e3 * (user + system), 1e6 * performance.now(), instructions()];
}

const result = await alternate(order, builds, globalThis.__fieldprof, meter);
writeFileSync(order.result, JSON.stringify(result));
process.exit();
