// The corpus that profile.Attribute passes, too: profile/testdata/attribution.
// Here idle time is known to the sampler, so samples without an owner are program.
/* global TESTDATA -- the folder above this one */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { Attribution } from '../../src/trace/attribution';
import { Tables } from '../../src/stacks/intern';

const folder = `${TESTDATA}/../../profile/testdata/attribution`;
const kinds = { entry: 0, loop: 1, exit: 2, idle: 3, program: 4, gc: 5 };
let checked = 0;

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const { functions, samples } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
  const tables = new Tables();
  const read = (text) => {
    const frames = text ? text.split(' > ').map((frame) => frame.split('@')) : [];
    return tables.stack(frames.map(([name, line = 0]) => tables.frame({ url: 'app.js', line: +line, column: 0, name })).reverse());
  };
  const write = (stack) => {
    const frames = [];
    for (let at = stack; at; at = at.parent) frames.unshift(at.frame.line ? `${at.frame.name}@${at.frame.line}` : at.frame.name);
    return frames.join(' > ');
  };
  const attribution = new Attribution(({ name }) => {
    const flags = (functions[name] ?? '').split(' ');
    return { checked: flags.includes('checked'), filledFirst: flags.includes('filled-first') };
  });
  for (const { kind, stack, bySite } of samples) {
    if (!(kind in kinds) || stack.includes('(')) continue; // of goja's host
    const want = bySite.startsWith('(') ? '' : bySite;
    for (let again = 0; again < 2; again++) {
      assert.equal(write(attribution.owner(read(stack), kinds[kind])), want, `${file}: ${kind} sample of ${stack}`);
    }
    checked++;
  }
}
assert.ok(checked >= 25, `${checked} samples`);
