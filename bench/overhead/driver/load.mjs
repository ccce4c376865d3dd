// Loads builds in Node, as Node loads a program.
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { dirname } from 'node:path';

/** Loads a program's build from a file, and takes the function that the bench put into it. */
export function load(file, program) {
  const main = new Module(file);
  main.filename = program;
  main.paths = Module._nodeModulePaths(dirname(program));
  main._compile(readFileSync(file, 'utf8'), file);
  const { __iterate } = globalThis;
  delete globalThis.__iterate;
  return __iterate;
}
