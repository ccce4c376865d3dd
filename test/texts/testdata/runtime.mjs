// The runtime's Function.prototype.toString, for any text.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const checks = readFileSync(new URL('../../../runtime/dist/checks.cjs', import.meta.url), 'utf8');

const context = vm.createContext({ given: '' });
vm.runInContext(`Function.prototype.toString = () => given; (module => { ${checks} })({})`, context);

/** Shows a function whose text is this. */
export const shows = vm.runInContext('text => { given = text; return Object.toString() }', context);
