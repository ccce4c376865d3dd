// Reads jobs, one a line, and compares what the runtime makes of each function's
// text with the source's. Offsets are bytes, so texts are read as Latin 1:
// insertions are ASCII.
import { createInterface } from 'node:readline';
import { shows } from './runtime.mjs';

const faults = [];
let bytes = 0;
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { File, Way, Code, Source, Pairs } = JSON.parse(line);
  const code = Buffer.from(Code).toString('latin1');
  const source = Buffer.from(Source).toString('latin1');
  for (const pair of Pairs) {
    const text = code.slice(...pair.Code);
    const want = source.slice(...pair.Source);
    bytes += text.length;
    const got = shows(text);
    if (got === want) continue;
    let at = 0;
    while (got[at] === want[at]) at++;
    faults.push(`${File} (${Way}) ${pair.Name}, ${text.length} bytes${got === text ? ', left as it is' : ''}:\n  ${JSON.stringify(got.slice(Math.max(0, at - 40), at + 80))}\n  ${JSON.stringify(want.slice(Math.max(0, at - 40), at + 80))}`);
  }
}
console.log(`${bytes} bytes`);
if (faults.length > 0) {
  console.log(`${faults.length} differ:\n${faults.slice(0, 30).join('\n')}`);
  process.exitCode = 1;
}
