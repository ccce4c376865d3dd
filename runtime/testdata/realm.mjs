// Shared by the tests: realms with the runtime in them.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const read = (file) => readFileSync(new URL(`../dist/${file}`, import.meta.url), 'utf8');
export const classic = read('runtime.js');
const commonjs = read('checks.cjs');

/** A new realm, prepared by a script. */
export function realm(prepare = '') {
  const context = vm.createContext();
  vm.runInContext(prepare, context);
  return {
    run: (text) => vm.runInContext(text, context),
    load() {
      vm.runInContext(classic, context);
      return vm.runInContext('globalThis.__fieldprof', context);
    },
    require: () => vm.runInContext(`(module => { ${commonjs}; return module.exports })({})`, context),
  };
}

/** Realms that have no memory to share, or none that can be trusted. */
export const unshared = {
  'no SharedArrayBuffer': 'delete globalThis.SharedArrayBuffer',
  'SharedArrayBuffer that throws': 'globalThis.SharedArrayBuffer = class { constructor() { throw new Error("not here") } }',
  'no Atomics': 'delete globalThis.Atomics',
  'Atomics without exchange': 'globalThis.Atomics = {}',
  'Atomics that throws': 'Atomics.exchange = () => { throw new Error("patched") }',
  'Atomics that lies': 'Atomics.exchange = () => 7',
};
