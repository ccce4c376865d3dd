// A counting build at work in Node: node train.mjs BUILD PROGRAM MILLISECONDS [INPUT]. Prints
// its counts.
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import process from 'node:process';

const [, , build, program, milliseconds, ...input] = process.argv;
process.argv.splice(1, Infinity, program, '0.001', ...input);
createRequire(import.meta.url)('./counting.cjs');

const main = new Module(build);
main.filename = program;
main.paths = Module._nodeModulePaths(dirname(program));
main._compile(readFileSync(build, 'utf8'), build);

const { log } = console;
console.log = () => {};
const until = performance.now() + Number(milliseconds);
do {
  globalThis.__iterate(2);
  await new Promise(setImmediate); // a task ends here
} while (performance.now() < until);
log(globalThis.__fieldprof.counts());
