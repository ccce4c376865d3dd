// A worker that is profiled as Datadog's SDK does it (attachProfilingWorker in the page): it
// starts when a message says so, stops and starts again when the buffer is full, posts
// each trace, and ends when another message says so.
let options;
let profiler;

function start() {
  profiler = new self.Profiler(options);
  profiler.addEventListener('samplebufferfull', renew);
}

async function finish() {
  const full = profiler;
  profiler = undefined;
  full.removeEventListener('samplebufferfull', renew);
  postMessage({ type: 'dd-worker-trace', trace: await full.stop() });
}

async function renew() {
  await finish();
  start();
}

function attachedWork() {
  for (const end = performance.now() + 20; performance.now() < end; );
  setTimeout(attachedWork);
}

self.addEventListener('message', ({ data }) => {
  if (data.type === 'dd-profiling-config') {
    options = { sampleInterval: data.sampleIntervalMs, maxBufferSize: data.maxBufferSize };
    start();
  } else if (profiler) finish();
});
attachedWork();
