// Answers queries of the Go test: for each table the innermost functions at
// positions, or why it is none.
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
  for (let i = 0; i < positions.length; i += 2) found.push(decoded.find(positions[i], positions[i + 1]));
  return { functions, found };
});
console.log(JSON.stringify(answers));
