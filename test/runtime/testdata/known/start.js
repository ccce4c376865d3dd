// Profiles known.js from its first function on: by our own runtime, and by the
// browser if it can.
/* fieldprof: off file */
try {
  window.native = new (window.fieldprof ? fieldprof.native : Profiler)({ sampleInterval: 10, maxBufferSize: 1e6 });
} catch {
  // There is none.
}
window.ran = (async () => {
  window.ours = await import('/fieldprof/trace.js');
  window.recording = ours.record({ interval: 1, limit: 1e6, clock: 'poll' });
  const script = document.createElement('script');
  script.src = 'known.js';
  await new Promise((done) => {
    script.onload = done;
    document.body.append(script);
  });
  await everything();
  await everything();
})();
