// Answers queries of the Go test: for each table the innermost functions at
// positions, those that begin there, or why it is none.
import { readFileSync } from 'node:fs';
import { decode } from '../../../src/trace/table';

const questions = JSON.parse(readFileSync(0, 'utf8'));
const answers = questions.map(({ table, positions }) => {
  let decoded;
  try {
    decoded = decode(table);
  } catch (error) {
    return { error: String(error) };
  }
  const functions = [];
  for (let i = 0; i < decoded.count; i++) {
    functions.push([decoded.name(i), decoded.kind(i), decoded.sites(i), decoded.filledFirst(i), decoded.ignored(i), decoded.parent(i), ...decoded.definition(i)].join(' '));
  }
  const found = [];
  const begun = [];
  for (let i = 0; i < positions.length; i += 2) {
    const [line, column] = [positions[i], positions[i + 1]];
    found.push(decoded.find(line, column));
    for (const isNamed of [false, true]) {
      const f = decoded.beginning(line, column, isNamed);
      begun.push(f < 0 ? decoded.find(line, column) : f);
    }
  }
  return { functions, found, begun };
});
console.log(JSON.stringify(answers));
