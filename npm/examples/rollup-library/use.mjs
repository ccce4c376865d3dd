// Uses the library in the folder that is named: node use.mjs dist
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (name) => import(pathToFileURL(resolve(process.argv[2], name)).href);

const { index } = await load('index.js');
const text = 'The profilers profiled the profiling of indexed stations, and their owners owned the indexing. '.repeat(4000);
console.log([...index(text)].sort().join(' '));
