// A counting build at work in Node: node train.mjs BUILD PROGRAM MILLISECONDS [INPUT]. Prints
// its counts.
import { createRequire } from 'node:module';
import process from 'node:process';
import { load } from './load.mjs';

const [, , build, program, milliseconds, ...input] = process.argv;
process.argv.splice(1, Infinity, program, '0.001', ...input);
createRequire(import.meta.url)('./counting.cjs');

const iterate = load(build, program);

const { log } = console;
console.log = () => {};
const until = performance.now() + Number(milliseconds);
do {
  iterate(2);
  await new Promise(setImmediate); // a task ends here
} while (performance.now() < until);
log(globalThis.__fieldprof.counts());
