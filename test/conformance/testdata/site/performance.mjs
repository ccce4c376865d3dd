// performance.profile, as the proposal of 2018 and the tests of 2019 have it.
const { install } = await import(new URL('fieldprof/performance.js', location.href).href);
install();
const options = { sampleInterval: 10, maxBufferSize: 10000, categories: ['js'] };
const closed = new URLSearchParams(location.search).get('closed');

function busyHere(milliseconds) {
  spin(milliseconds);
}

state('it gives the promise of a profiler that runs', async () => {
  const promise = performance.profile(options);
  holds(promise instanceof Promise, 'it gave ' + promise);
  const profiler = await promise;
  holds(profiler instanceof EventTarget, 'what it promised is no EventTarget');
  await profiler.stop();
});
state('options.sampleInterval is the true one', async () => {
  const profiler = await performance.profile({ ...options, sampleInterval: 7 });
  equal(profiler.options, { sampleInterval: 10, maxBufferSize: 10000, categories: ['js'] });
  await profiler.stop();
});
for (const wrong of [{ sampleInterval: undefined }, { sampleInterval: -1 }, { sampleInterval: NaN }, { maxBufferSize: undefined }, { categories: [] }, { categories: ['js', 'gc'] }, { categories: ['layout'] }]) {
  state('it rejects, and does not throw, what it cannot give: ' + Object.keys(wrong) + ' ' + String(Object.values(wrong)[0]), async () => {
    const promise = performance.profile({ ...options, ...wrong });
    holds(promise instanceof Promise, 'it gave ' + promise);
    holds(await promise.then(() => false, () => true), 'it was given');
  });
}
state('it rejects no options', async () => holds(await performance.profile().then(() => false, () => true), 'it was given'));
state('the trace is of version 1', async () => {
  const profiler = await performance.profile(options);
  busyHere(300);
  const { version, options: own, profile } = await profiler.stop();
  equal([version, own.sampleInterval, Object.keys(profile)], [1, 10, ['strings', 'stackFrames', 'main-thread']]);
  const { line, column } = await place(new URL('performance.mjs', location.href).href, 'function busyHere(');
  const chains = profile['main-thread'].map(({ type, timestamp, stack }) => {
    equal([type, typeof timestamp], ['stack', 'number']);
    const names = [];
    for (let id = stack; id !== undefined; id = profile.stackFrames[id].parent) names.push(profile.strings[profile.stackFrames[id].name]);
    return names.join('<');
  });
  holds(chains.some((chain) => chain.includes(`<busyHere @ ${new URL('performance.mjs', location.href).href}:${line}:${column}<`)), chains[5]);
});
state('what may not be seen is one unknown frame', async () => {
  await new Promise((resolve, reject) => document.head.append(Object.assign(document.createElement('script'), { src: closed + '/far.js', onload: resolve, onerror: reject })));
  const profiler = await performance.profile(options);
  farCalls(() => farCalls(() => farSpins(300)));
  const { profile } = await profiler.stop();
  const text = profile.strings.join(' ');
  holds(!text.includes('far'), text);
  equal(profile.strings.filter((name) => name === 'unknown').length, 1, 'strings that say unknown');
  for (const id of Object.keys(profile.stackFrames)) {
    const { name, parent } = profile.stackFrames[id];
    holds(parent === undefined || profile.strings[name] !== 'unknown' || profile.strings[profile.stackFrames[parent].name] !== 'unknown', 'an unknown frame calls another');
  }
});
state('a full buffer calls onsamplebufferfull, and profiling stops', async () => {
  const profiler = await performance.profile({ ...options, maxBufferSize: 2 });
  const heard = [];
  profiler.onsamplebufferfull = (event) => heard.push(event.type);
  profiler.addEventListener('samplebufferfull', (event) => heard.push(event.target === profiler));
  spin(100);
  for (const end = performance.now() + 5000; heard.length < 2 && performance.now() < end; ) await pause(20);
  equal(heard.map(String).sort(), ['samplebufferfull', 'true']);
  equal((await profiler.stop()).profile['main-thread'].length, 2);
});
state('without categories the buffer may be left open, and the trace is the standard\'s', async () => {
  const profiler = await performance.profile({ sampleInterval: 10 });
  busyHere(200);
  const trace = await profiler.stop();
  holds(named(trace, 'busyHere').length === 1 && trace.samples.length > 5, trace.samples.length + ' samples of ' + trace.frames.map(({ name }) => name));
});
window.ready = true;
