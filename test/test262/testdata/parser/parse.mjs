// Parses programs, one JSON line each, and answers each with a line: empty, or
// what is wrong with it.
import readline from 'node:readline';
import { parse } from 'acorn';

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { module, code } = JSON.parse(line);
  let wrong = '';
  try {
    parse(code, { ecmaVersion: 'latest', sourceType: module ? 'module' : 'script' });
  } catch (e) {
    wrong = String(e).replaceAll('\n', ' ');
  }
  process.stdout.write(wrong + '\n');
}
