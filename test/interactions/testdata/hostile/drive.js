// Observes the case if it is to be, plays it, and tells the comparing page what came of it.
import { problems } from './valid.js';

const found = [];
const slices = [];

/** The most slices and notes that any page may cause. */
const most = 500;

/** Options as hostile as the rest. */
function options() {
  const values = [undefined, 1, 0, -1, NaN, Infinity, '50', null, {}, 1e300];
  const value = choose(values, 17);
  const thresholds = choose([{ interaction: 1, 'long-frame': 1, 'long-task': 1, load: 1, navigation: 1, mark: 1 }, { interaction: value, 'long-task': value, mark: value }, value], 19);
  let heard = 0;
  const onslow = (slice) => {
    slices.push(slice);
    if (++heard % 2 === 0) throw new Error('onslow failed');
  };
  const onnote = (text) => {
    if (typeof text !== 'string' || text.length > 2000) found.push(`it notes ${String(text).slice(0, 100)}`);
    if (seed % 3 === 0) throw new Error('onnote failed');
  };
  return choose([{ thresholds, onslow, onnote }, { thresholds, onslow, onnote, seconds: value, sampleInterval: value }, { thresholds: { 'long-task': 1, interaction: 1 }, onslow, seconds: 1, sampleInterval: 1 }], 23);
}

/** Resolves as a promise does, or says that it never did. */
function settled(what, promise) {
  const late = new real.Promise((done) => real.later(done, 120_000, 'late'));
  const came = real.Promise.resolve(promise).then(
    (value) => value,
    (error) => found.push(`${what} rejects: ${textOf(error)}`),
  );
  return real.Promise.race([came, late]).then((value) => {
    if (value === 'late') found.push(`${what} never comes`);
    return value;
  });
}

const isCount = (value) => typeof value === 'number' && value >= 0 && value < 1e12;

function lookAt(counts) {
  const { interactions, slow, longTasks, inp, p75, dropped } = counts;
  const all = [interactions, longTasks, dropped, ...Object.values(slow)];
  if (![...all, inp ?? 0, p75 ?? 0].every(isCount) || !all.every(Number.isInteger)) found.push(`counts are ${JSON.stringify(counts)}`);
}

async function observed() {
  const { observe, blame, explain } = await import('./interactions.js');
  const observing = observe(options());
  await play();
  lookAt(observing.counts);
  const now = await settled('slices()', observing.slices());
  await settled('stop()', observing.stop());
  await settled('a second stop()', observing.stop());
  await settled('slices() after stop()', observing.slices());
  lookAt(observing.counts);
  const all = [...slices, ...(Array.isArray(now) ? now : [])];
  if (all.length > most) found.push(`${all.length} slices`);
  for (const slice of all) {
    try {
      found.push(...problems(slice, blame(slice), explain(slice)));
    } catch (error) {
      found.push(`looking at a slice throws ${textOf(error)}`);
    }
  }
  return all;
}

let all = [];
try {
  if (isObserved) all = await observed();
  else await play();
} catch (error) {
  found.push(`it throws ${textOf(error)} ${error?.stack ?? ''}`.slice(0, 500));
}
const what = [...broken.map(([name]) => name), scenario[0]].join(', ');
real.tell({ id: `${seed} ${query.get('observed')}`, log, what, problems: [...new Set(found)].slice(0, 5), slices: all.length, unknown: all.filter(({ unknown }) => unknown?.length).length }, '*');
