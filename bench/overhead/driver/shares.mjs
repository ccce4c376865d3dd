// Where a build's time goes, by V8's own sampler: node shares.mjs BUILD PROGRAM MILLISECONDS. Prints
// [line, column, samples] of each of its functions, as JSON.
import { Session } from 'node:inspector/promises';
import process from 'node:process';
import { load } from './load.mjs';

const [, , build, program, milliseconds] = process.argv;
process.argv.splice(1, Infinity, program, '0.001');

const iterate = load(build, program);

const { log } = console;
console.log = () => {};
function work(until) {
  do iterate(2);
  while (performance.now() < until);
}
const began = performance.now();
work(began + milliseconds / 2); // warms up
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
await session.post('Profiler.start');
work(began + 1.5 * milliseconds);
const { profile } = await session.post('Profiler.stop');

const samples = new Map();
for (const id of profile.samples) samples.set(id, (samples.get(id) ?? 0) + 1);
const places = [];
for (const { id, callFrame } of profile.nodes) {
  const { url, lineNumber, columnNumber } = callFrame;
  if (url.endsWith(build) && samples.has(id)) places.push([lineNumber + 1, columnNumber + 1, samples.get(id)]);
}
log(JSON.stringify(places));
