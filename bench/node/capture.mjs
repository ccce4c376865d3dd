// Measures what sampling costs a thread in V8: node capture.mjs FOLDER ROUNDS, with
// the runtime's files in the folder. Prints, for each depth of stack, microseconds per
// sample: in the check that takes it (capture), and for reading it later (read), with
// stacks that recur and with stacks that are new each time.
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

const [, , folder, rounds] = process.argv;
await import(folder + '/module.js');
const { Profiler, loadParts } = globalThis.fieldprof;
const checks = globalThis.__fieldprof;
await loadParts();

const profiler = new Profiler({ sampleInterval: 1000, maxBufferSize: 1e9 });
await new Promise((done) => setTimeout(done, 200));
const { tape } = checks;
tape.source.run(0);
// A clock by which a tick is due at every check.
tape.source = { take: (time) => [1, time], pace() {}, run() {}, settle() {} };

// Functions at positions of their own, so that stacks can be new: some to a line,
// as in a minified file.
const text = Array.from({ length: 400 }, (_, i) => `(next,n,path)=>{return n>0?next(n-1,path):0},${i % 50 ? '' : '\n'}`);
writeFileSync(folder + '/many.mjs', `export default [${text.join('')}]`);
const { default: many } = await import(folder + '/many.mjs');

function dive(n, path) {
  if (n <= 0) {
    checks.flag[0] = 1;
    checks.left.fill(0);
    const [before, already] = [performance.now(), reading];
    checks.flag.c.c(0);
    captured += performance.now() - before - (reading - already);
    return 0;
  }
  path.state = (path.state * 1103515245 + 12345) & 0x7fffffff;
  return many[path.fresh ? path.state % many.length : n](dive, n, path);
}

// A full tape is read in the middle of a capture.
let [captured, reading] = [0, 0];
const { read } = tape;
tape.read = () => {
  const before = performance.now();
  read();
  reading += performance.now() - before;
};
const batch = 100;
const cost = (depth, fresh) => {
  const path = { state: 1, fresh };
  const one = () => {
    for (let i = 0; i < batch; i++) dive((depth - 4) / 2, path);
    while (tape.entries.length > 0) tape.read();
  };
  for (let i = 0; i < 20; i++) one();
  const result = { capture: [], read: [] };
  for (let i = 0; i < rounds; i++) {
    captured = reading = 0;
    for (let j = 0; j < 5; j++) one();
    result.capture.push((1000 * captured) / batch / 5);
    result.read.push((1000 * reading) / batch / 5);
  }
  return result;
};
const report = [];
for (const depth of [10, 50, 200]) report.push({ depth, known: cost(depth, false), fresh: cost(depth, true) });
console.log(JSON.stringify(report));
void profiler;
process.exit(0);
