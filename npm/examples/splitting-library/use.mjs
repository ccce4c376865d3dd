// Uses the library in the folder that is named: node use.mjs dist
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (name) => import(pathToFileURL(resolve(process.argv[2], name)).href);

const { evaluate } = await load('evaluate.js');
const { print } = await load('print.js');
const text = Array.from({ length: 400 }, (_, i) => `${i % 7} * (${i % 5} + ${i % 3})`).join(' + ');
let sum = 0;
for (let i = 0; i < 300; i++) sum += evaluate(text);
console.log(sum, print('1 + 2 * (3 - 4)'), print(text).length);
