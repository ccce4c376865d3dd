// Makes ready for a script of this folder, which has checks in it, in V8:
// MOZILLA=… HARNESS=… [EXAMPLE=1] node --import ./node.mjs SCRIPT
import vm from 'node:vm';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { MOZILLA, HARNESS, EXAMPLE } = process.env;
const script = process.argv[1];
const { Profiler } = await import(pathToFileURL(MOZILLA));
Object.defineProperty(globalThis, 'Profiler', { value: Profiler, writable: true, configurable: true });
const run = (text, filename) => vm.runInThisContext(text, { filename });
run(readFileSync(HARNESS, 'utf8'), HARNESS);
if (EXAMPLE) globalThis.print = (text) => run(`example(${text})`, 'check.js');

// The script is synchronous, and its function table is not: it is loaded before,
// for a stack that shows the script.
const p = new Profiler();
p.start();
run('(p) => p.frame()', script)(p);
p.stop();
await Profiler.load();
