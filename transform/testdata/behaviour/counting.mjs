// Runs programs as they are and as counting builds, each in a context of its own, and tells
// what they print and count.
import fs from 'node:fs';
import vm from 'node:vm';

const counting = fs.readFileSync(new URL('../../../runtime/counting/counting.js', import.meta.url), 'utf8');
let clock = 0; // moves when it is read

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
const results = [];
for (const { Name, Original, Instrumented } of JSON.parse(input)) {
  const counted = {};
  results.push({ Name, Original: await run(Original), Inert: await run(Instrumented), Counting: await run(Instrumented, counted), Counts: counted.text });
}
process.stdout.write(JSON.stringify(results));

async function run(code, counted) {
  let out = '';
  let last;
  const context = vm.createContext({});
  const hide = (name, value) => vm.runInContext(`(v) => Object.defineProperty(globalThis, ${JSON.stringify(name)}, { value: v, writable: true, configurable: true })`, context)(value);
  hide('print', (...words) => { out += words.map(String).join(' ') + '\n'; });
  hide('done', (f) => { last = f; });
  if (counted) {
    hide('performance', { now: () => ++clock });
    vm.runInContext(counting, context);
  }
  try {
    vm.runInContext(code, context, { filename: 'program.js' });
  } catch (e) {
    out += `threw ${e}\n`;
  }
  if (last) {
    for (let i = 0; i < 100; i++) await null; // promise jobs of a context run with ours
    last();
  }
  if (counted) counted.text = vm.runInContext('__fieldprof.counts()', context);
  return out;
}
