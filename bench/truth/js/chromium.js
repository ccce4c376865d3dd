// Runs in the page along with a program in Chromium: the browser's own Profiler.
(() => {
  'use strict';
  const { Profiler, fetch } = globalThis;
  const say = (what) => fetch('said', { method: 'POST', body: JSON.stringify(what) });
  if (!Profiler) {
    say({ error: 'this browser has no Profiler' });
    return;
  }
  const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1e6 });
  fetch('finished')
    .then(() => profiler.stop())
    .then((trace) => say({ interval: profiler.sampleInterval, trace }))
    .catch((error) => say({ error: String(error) }));
})();
