// Reads names of scripts, a line each, and answers each with a line of JSON: the
// script with line breaks for the semicolons that end statements, if acorn says that
// it is the same program. It first tries all of them, then those alone before which
// nothing could continue the statement. Then it reads results, and says whether acorn
// can parse them.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import readline from 'node:readline';

const acorn = createRequire(new URL('../../../fixtures/package.json', import.meta.url))('acorn');
const options = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true };
const parse = (text, sourceType) => acorn.parse(text, { ...options, sourceType });

/** The tree without places. */
const shape = (tree) => JSON.stringify(tree, (key, value) => (key === 'start' || key === 'end' || key === 'loc' || key === 'range' ? undefined : typeof value === 'bigint' ? String(value) : value));

/** Where statements end with a semicolon. */
function semicolons(text, tree) {
  const ends = [];
  const walk = (node) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      // Only statements of a list: a break after the body of an if ends it as well.
      for (const item of node) {
        if (item && text[item.end - 1] === ';' && /Statement$|^VariableDeclaration$|^(Import|Export)/.test(item.type) && item.type !== 'EmptyStatement') ends.push(item.end - 1);
        walk(item);
      }
      return;
    }
    for (const key of Object.keys(node)) if (key !== 'type') walk(node[key]);
  };
  walk(tree.body);
  // A statement and the last one in it share an end.
  return [...new Set(ends)].sort((a, b) => a - b);
}

function broken(text, ends) {
  const letters = text.split('');
  for (const end of ends) letters[end] = '\n';
  return letters.join('');
}

function same(text, sourceType) {
  const tree = parse(text, sourceType);
  const wanted = shape(tree);
  const ends = semicolons(text, tree);
  for (const some of [ends, ends.filter((end) => !/^\s*[([`/+-]/.test(text.slice(end + 1, end + 200)))]) {
    const candidate = broken(text, some);
    try {
      if (shape(parse(candidate, sourceType)) === wanted) return { text: candidate, replaced: some.length };
    } catch {
      // It needs some of them.
    }
  }
  return {};
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { file, result } = JSON.parse(line);
  let answer = {};
  for (const sourceType of ['script', 'module']) {
    try {
      if (result !== undefined) parse(result, sourceType);
      else answer = same(fs.readFileSync(file, 'utf8'), sourceType);
      answer.parsed = true;
      break;
    } catch (e) {
      answer.error = String(e.message);
    }
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
}
