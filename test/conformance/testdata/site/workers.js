// A dedicated worker has a Profiler of its own, of its own realm. One whose text
// is a string of the page's must load the runtime like any script.
const base = new URL('.', location.href).href;

/** The answer of a worker: a trace, or an error. */
function ask(worker, patience = 15000) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.trace));
    worker.onerror = (event) => reject(new Error(event.message || 'the worker failed'));
    setTimeout(() => reject(new Error('no answer')), patience);
  }).finally(() => worker.terminate());
}

/** Firefox 153 hangs in one of a hundred starts of a worker in a worker, whatever these do. */
async function askNested(tries = 3) {
  try {
    return await ask(new Worker('nest.js'), 8000);
  } catch (error) {
    if (!tries || error.message !== 'no answer') throw error;
    return askNested(tries - 1);
  }
}

/** The traces of a worker that another message ends after some. */
function attached(worker) {
  const traces = [];
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no answer')), 15000);
    worker.onerror = (event) => reject(new Error(event.message || 'the worker failed'));
    worker.onmessage = ({ data: { type, trace } }) => {
      equal(type, 'dd-worker-trace');
      if (traces.push(trace) === 2) worker.postMessage({ type: 'dd-detach-profiler' });
      if (traces.length === 3) resolve(traces);
    };
    worker.postMessage({ type: 'dd-profiling-config', sampleIntervalMs: 10, maxBufferSize: 4 });
  }).finally(() => worker.terminate());
}

async function sees(trace, url) {
  await defined(trace, 'workerSpins', url, 'function workerSpins(');
  holds(trace.samples.length > 0, trace.samples.length + ' samples');
}

state('a classic worker', async () => sees(await ask(new Worker('worker.js')), base + 'worker.js'));
state('a module worker', async () => sees(await ask(new Worker('worker.mjs', { type: 'module' })), base + 'worker.mjs'));
state('a worker of a worker', async () => sees(await askNested(), base + 'worker.js'));
state('a worker from a blob that loads its script', async () => {
  const url = URL.createObjectURL(new Blob([`importScripts("${base}fieldprof/runtime.js", "${base}worker.js")`], { type: 'text/javascript' }));
  await sees(await ask(new Worker(url)), base + 'worker.js');
});
state('a worker from a data: URL that loads its script', async () => {
  // Its origin is opaque: trace.js comes only from servers that let everybody have it.
  const trace = await ask(new Worker('data:text/javascript,' + encodeURIComponent(`importScripts("${base}fieldprof/runtime.js", "${base}worker.js")`)));
  holds(trace.samples.length > 0 || String(trace.fieldprof.lost).includes('no trace.js'), JSON.stringify(trace));
});
state('a worker that has nothing to check', async () => {
  const trace = await ask(new Worker('plain.js'));
  equal(trace.frames.length, 0);
});
state('a worker that an SDK attaches itself to', async () => {
  const traces = await attached(new Worker('attached.js'));
  equal(traces.slice(0, 2).map(({ samples }) => samples.length), [4, 4]);
  holds(traces.some((trace) => named(trace, 'attachedWork').length > 0), 'no trace has the worker at work');
});
state('the page sees nothing of its workers', async () => {
  const profiler = new Profiler(plenty);
  await ask(new Worker('worker.js'));
  const trace = await profiler.stop();
  equal(named(trace, 'workerSpins').length, 0, 'frames named workerSpins');
});
