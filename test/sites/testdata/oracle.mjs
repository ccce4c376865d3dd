// Compares instrumented scripts with their originals. Reads a JSON array of
//
//	{file, goal, code, source, insertions, functions, map, sourceMap}
//
// where insertions are [offset, length] in code (UTF-16), functions are [line,
// column, line, column] as the function table has them, from 1, and a map is
// JSON text or null. Writes {counts, faults}.
import { AnyMap, originalPositionFor } from '@jridgewell/trace-mapping';
import { parse, tokenizer } from 'acorn';
import { readFileSync } from 'node:fs';
import { describe } from '../../../transform/internal/jsscan/testdata/oracle/describe.mjs';

const counts = { scripts: 0, functions: 0, tokens: 0, mapped: 0 };
const faults = [];

// The structure of a script as acorn sees it: "kind start-end …" for functions.
function rangesOf({ code, goal }) {
  const options = { ecmaVersion: 'latest', preserveParens: true, allowHashBang: true, sourceType: goal, allowReturnOutsideFunction: goal === 'script' };
  const text = describe(Array.from(code, (c) => (c < '\x80' ? c : 'x'.repeat(c.length))).join(''), parse(code, options), goal, false);
  return [...text.matchAll(/^\w+ (\d+)-(\d+) parent=/gm)].map(([, start, end]) => [Number(start), Number(end)]);
}

// Lines as ECMAScript has them, for positions of functions.
function linesOf(text, terminators) {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(terminators)) starts.push(index + end.length);
  return starts;
}

function position(starts, offset) {
  let low = 0;
  for (let high = starts.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle;
  }
  return [low, offset - starts[low]];
}

function compareFunctions(script, fault) {
  // A function that starts in inserted text loads the runtime.
  const ranges = rangesOf(script).filter(([start]) => !script.insertions.some(([at, length]) => at <= start && start < at + length));
  const starts = linesOf(script.code, /\r\n|[\n\r\u2028\u2029]/g);
  const [, ...functions] = script.functions; // the first is the script itself
  if (functions.length !== ranges.length) return fault(`the table has ${functions.length} functions, acorn ${ranges.length}`);
  functions.forEach((got, i) => {
    counts.functions++;
    const want = ranges[i].flatMap((offset) => position(starts, offset)).map((n) => n + 1);
    if (String(got) !== String(want)) fault(`function ${i} at ${got}, in acorn's tree at ${want}: ${script.code.slice(...ranges[i]).slice(0, 80)}`);
  });
}

// Every token of the source leads to the same original position through both
// maps. A source without a map has one in its copy, which leads to the source
// itself: words exactly, the text between them to the word before.
function compareMaps(script, fault) {
  const was = script.sourceMap && new AnyMap(script.sourceMap);
  const is = new AnyMap(script.map);
  const starts = [script.source, script.code].map((text) => linesOf(text, /\r\n|[\n\r\u2028\u2029]/g));
  let moved = 0;
  let next = 0;
  for (const { start, type } of tokenizer(script.source, { ecmaVersion: 'latest', sourceType: script.goal, allowHashBang: true })) {
    counts.tokens++;
    // Text at a token's place was inserted before it.
    while (next < script.insertions.length && script.insertions[next][0] - moved <= start) moved += script.insertions[next++][1];
    const from = position(starts[0], start);
    const to = position(starts[1], start + moved);
    const { line, column } = originalPositionFor(is, { line: to[0] + 1, column: to[1] });
    if (!was) {
      counts.mapped++;
      const isWord = type.keyword || type.label === 'name';
      if (line !== from[0] + 1 || column > from[1] || (isWord && column < from[1])) fault(`${to} leads to ${line - 1},${column}, not ${from}: ${script.source.slice(start, start + 30)}`);
      continue;
    }
    const [want, got] = [described(was, from), described(is, to)];
    if (want) counts.mapped++;
    if (got !== want) fault(`${to} leads to ${got || 'nothing'}, and ${from} of the source to ${want || 'nothing'}: ${script.source.slice(start, start + 30)}`);
  }
}

function described(map, [line, column]) {
  const found = originalPositionFor(map, { line: line + 1, column });
  return found.source === null ? '' : `${found.source}:${found.line}:${found.column}:${found.name}`;
}

for (const script of JSON.parse(readFileSync(0, 'utf8'))) {
  counts.scripts++;
  let said = 0;
  const fault = (text) => {
    if (said++ < 3) faults.push(`${script.file}: ${text}`);
  };
  try {
    compareFunctions(script, fault);
    if (script.map) compareMaps(script, fault);
  } catch (error) {
    fault(error.stack);
  }
}
process.stdout.write(JSON.stringify({ counts, faults }));
