// One invocation in a page, which has loaded runtime.js. Posts its result as JSON.
import { alternate } from './turns.mjs';

const { document } = globalThis;
const order = await (await fetch('order.json')).json();
globalThis.argv = ['page', order.program, '0.001'];

/** Loads a build, and takes the function that the bench put into it. */
async function load(url) {
  const script = document.createElement('script');
  script.src = url;
  await new Promise((onload, onerror) => document.head.append(Object.assign(script, { onload, onerror })));
  const { __iterate } = globalThis;
  delete globalThis.__iterate;
  return __iterate;
}

let result;
try {
  await globalThis.fieldprof.loadParts();
  const builds = [];
  for (const build of order.swap ? [1, 0] : [0, 1]) builds[build] = await load(order.builds[build]);
  if (order.clock === 'shared' && !globalThis.crossOriginIsolated) throw Error('the page is not isolated');
  result = await alternate(order, builds, globalThis.__fieldprof, () => [0, 0, 1e6 * performance.now(), 0]);
} catch (error) {
  result = { failure: String(error), turns: [] };
}
await fetch('result', { method: 'POST', body: JSON.stringify(result) });
