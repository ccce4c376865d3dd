/* global window */
// The same from modules; and all cases run.
import greenlet from './node_modules/greenlet/dist/greenlet.m.js';
import { workerize } from './node_modules/isoworker/esm/browser.js';

/* global runCases, pageCases */
function triple(n) {
  return n * 3;
}

const cases = {
  ...pageCases,
  greenlet: () => greenlet(async (list) => {
    let sum = 0;
    for (const n of list) sum += await n;
    if (sum > 5) return { sum };
  })([1, 2, 3]),

  isoworker: () => new Promise((resolve, reject) => {
    const run = workerize((n) => { for (let i = 0; i < 3; i++) n = triple(n); return n }, () => [triple]);
    run(2, (error, value) => (error ? reject(error) : resolve(value)));
  }),
};

const lines = [];
await runCases(cases, (line) => lines.push(line), 15_000);
window.result = lines;
