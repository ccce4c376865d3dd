// Runs programs as they are, instrumented idle, instrumented with the flag up at
// every check, and instrumented without a runtime, each in a context of its own,
// and tells what they print.
import vm from 'node:vm';

process.on('unhandledRejection', () => {}); // a program's own

const runs = JSON.parse(await read(process.stdin));
const results = [];
for (const { Name, Original, Instrumented } of runs) {
  const idle = calls([0, 0], () => { throw new Error('captured while idle'); });
  let taken = 0;
  const armed = calls([1, 0], () => { taken++; });
  results.push({
    Name,
    Original: await run(Original),
    Idle: await run(Instrumented, idle),
    Armed: await run(Instrumented, armed),
    Inert: await run(Instrumented),
    Taken: taken,
  });
}
process.stdout.write(JSON.stringify(results));

// calls makes a runtime whose checks call capture.
function calls(flag, capture) {
  const check = (kind) => { if (flag[0]) capture(kind); };
  flag.c = { c: capture };
  return { flag, entry() { check(0); }, loop() { check(1); }, exit(value) { check(2); return value; } };
}

async function run(code, runtime) {
  let out = '';
  let last;
  const context = vm.createContext({});
  const hide = (name, value) => vm.runInContext(`(v) => Object.defineProperty(globalThis, ${JSON.stringify(name)}, { value: v, writable: true, configurable: true })`, context)(value);
  hide('print', (...words) => { out += words.map(String).join(' ') + '\n'; });
  hide('done', (f) => { last = f; });
  if (runtime) hide('__fieldprof', runtime);
  try {
    vm.runInContext(code, context, { filename: 'program.js' });
  } catch (e) {
    out += `threw ${e}\n`;
  }
  if (last) {
    for (let i = 0; i < 100; i++) await null; // promise jobs of a context run with ours
    last();
  }
  return out;
}

async function read(stream) {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += chunk;
  return text;
}
