// Holds a profile chunk, named by the first argument, against the rules of Sentry's
// own SDK, and writes the self time of each function: a sample lasts to the next.
import {readFileSync} from 'node:fs';
import {validateProfileChunk} from './node_modules/@sentry/browser/build/npm/esm/prod/profiling/utils.js';

const chunk = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const {valid, reason} = validateProfileChunk(chunk);
const {samples, stacks, frames} = chunk.profile;
const self = {};
for (let i = 0; i + 1 < samples.length; i++) {
  const top = stacks[samples[i].stack_id][0];
  const name = top === undefined ? '(idle)' : frames[top].function;
  self[name] = (self[name] ?? 0) + samples[i + 1].timestamp - samples[i].timestamp;
}
process.stdout.write(JSON.stringify({schema: valid ? 'valid' : reason, profiles: [{self}]}));
