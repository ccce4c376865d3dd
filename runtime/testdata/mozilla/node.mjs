// Runs a script of this folder, which has checks in it, in V8:
// node node.mjs MOZILLA-MODULE HARNESS SCRIPT [example]
import vm from 'node:vm';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module, harness, script, isExample] = process.argv.slice(2);
const { Profiler } = await import(pathToFileURL(module));
Object.defineProperty(globalThis, 'Profiler', { value: Profiler, writable: true, configurable: true });
let printed;
globalThis.print = (text) => (printed = text);
const run = (text, filename) => vm.runInThisContext(text, { filename });
run(readFileSync(harness, 'utf8'), harness);

// The script is synchronous, and its function table is not: it is loaded before,
// for a stack that shows the script.
const p = new Profiler();
p.start();
run('(p) => p.frame()', script)(p);
p.stop();
await Profiler.load();

run(readFileSync(script, 'utf8'), script);
if (isExample) run(`example(${printed})`, 'check.js');
