// Loads scripts in every way there is while profilers run; each calls back into
// work(), so all of them are on stacks.
/* fieldprof: off file */
const query = new URLSearchParams(location.search);
const plain = query.get('plain');
const cors = query.get('cors');
try {
  window.native = new (window.fieldprof ? fieldprof.native : Profiler)({ sampleInterval: 10, maxBufferSize: 1e6 });
} catch {
  // There is none.
}
function load(src, set) {
  const script = Object.assign(document.createElement('script'), { src, async: false }, set);
  return new Promise((done, failed) => {
    script.onload = done;
    script.onerror = () => failed(new Error(src));
    document.body.append(script);
  });
}
window.ran = (async () => {
  window.ours = await import('/fieldprof/trace.js');
  await load('work.js');
  window.recording = ours.record({ interval: 1, limit: 1e6, clock: 'poll' });
  await load('same.js?v=1');
  await load(`${plain}/opaque.js`);
  await load('/redirect');
  await load(`${cors}/shared.js`, { crossOrigin: 'anonymous' });
  await load(`${cors}/unasked.js`);
  await load(`${cors}/module.js`, { type: 'module' });
  await import(`${cors}/imported.js`);
  await import(URL.createObjectURL(new Blob(['export default (function inBlob() { work(); })()'], { type: 'text/javascript' })));
  await import('data:text/javascript,(function inData() { work(); })()');
  (0, eval)('(function inEval() { work(); })()');
  (0, eval)('(function inNamed() { work(); })()\n//# sourceURL=webpack://site/./src/named.js');
  (0, eval)('(function inRelative() { work(); })()\n//# sourceURL=relative.js');
  const frame = document.createElement('iframe');
  frame.src = 'frame.html';
  await new Promise((done) => {
    frame.onload = done;
    document.body.append(frame);
  });
  frame.contentWindow.inFrame(work);
})();
