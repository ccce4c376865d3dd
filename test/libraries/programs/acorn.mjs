// Parses its own text and lodash's, in every edition there is.
import fs from 'node:fs';
import { parse, tokenizer } from 'acorn';
import { attempt, digest } from './digest.mjs';

// The texts as they are, whatever this copy of node_modules holds.
const file = (path) => fs.readFileSync(`${process.env.ORIGINALS}/node_modules/${path}`, 'utf8');

for (const [path, sourceType] of [['acorn/dist/acorn.js', 'script'], ['acorn/dist/acorn.mjs', 'module']]) {
  const tree = parse(file(path), { ecmaVersion: 'latest', sourceType, locations: true });
  console.log(path, tree.body.length, digest(tree));
}
console.log('tokens', digest([...tokenizer(file('lodash/_baseClone.js'), { ecmaVersion: 5 })].map((t) => [t.type.label, t.start, t.end])));
for (let ecmaVersion = 3; ecmaVersion <= 16; ecmaVersion++) {
  if (ecmaVersion === 4) continue;
  const texts = ['let x = 1', 'a => a', 'async () => { await 1 }', 'a ?? b', 'class A { #x = 1; static {} }', '/(?<y>a)/v', 'x = {a, ...b}', '`${1}`', '1n'];
  console.log(ecmaVersion, digest(texts.map((text) => attempt(() => parse(text, { ecmaVersion })))));
}
