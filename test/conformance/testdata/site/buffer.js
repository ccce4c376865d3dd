// Samples: how many, when, and the events when there is no room for more.
const events = (profiler) => {
  const heard = [];
  profiler.addEventListener('samplebufferfull', (event) => heard.push(event));
  return heard;
};

/** Waits, for as long as a busy machine may need, until something was heard. */
async function until(heard) {
  for (const end = performance.now() + 60000; !heard.length && performance.now() < end; ) await pause(20);
  equal(heard.length, 1, 'events heard');
}

state('a full buffer holds exactly what fits', async () => {
  const p = new Profiler({ sampleInterval: 10, maxBufferSize: 3 });
  const heard = events(p);
  spin(200);
  equal(heard.length, 0, 'events heard before the task ended');
  await until(heard);
  const [event] = heard;
  equal([event.constructor.name, event.type, event.bubbles, event.cancelable, event.composed], ['Event', 'samplebufferfull', false, false, false]);
  holds(event.target === p, 'the event is for another');
  equal(p.stopped, false, 'stopped');
  equal((await p.stop()).samples.length, 3);
});
state('there is one event, however much does not fit', async () => {
  const p = new Profiler({ sampleInterval: 10, maxBufferSize: 1 });
  const heard = events(p);
  for (let i = 0; i < 4; i++) {
    spin(60);
    await pause(60);
  }
  await until(heard);
  await p.stop();
});
state('there is none for a buffer with room', async () => {
  const p = new Profiler(plenty);
  const heard = events(p);
  spin(150);
  await pause(100);
  await p.stop();
  await pause(100);
  equal(heard.length, 0);
});
state('a buffer of nothing is full at the first sample', async () => {
  const p = new Profiler({ sampleInterval: 10, maxBufferSize: 0 });
  const heard = events(p);
  spin(100);
  await until(heard);
  const { samples, frames, stacks, resources } = await p.stop();
  equal([samples.length, frames.length, stacks.length, resources.length], [0, 0, 0, 0]);
});
state('an idle page fills the buffer too', async () => {
  const p = new Profiler({ sampleInterval: 10, maxBufferSize: 5 });
  const heard = events(p);
  await pause(400);
  await until(heard);
  equal((await p.stop()).samples.length, 5);
});
state('the listener may stop the profiler, and others', async () => {
  const big = new Profiler(plenty);
  const small = new Profiler({ sampleInterval: 10, maxBufferSize: 1 });
  const wrong = events(big);
  const traces = new Promise((resolve) => small.addEventListener('samplebufferfull', () => resolve([small.stop(), big.stop()])));
  spin(120);
  const [a, b] = await Promise.all(await traces);
  equal([a.samples.length, wrong.length], [1, 0]);
  holds(b.samples.length > 1, 'the big one has ' + b.samples.length);
});
state('several profilers run at once, each at its own interval', async () => {
  const fast = new Profiler(plenty);
  const slow = new Profiler({ ...plenty, sampleInterval: 50 });
  equal([fast.sampleInterval, slow.sampleInterval], [10, 50]);
  spin(600);
  const [a, b] = await Promise.all([fast.stop(), slow.stop()]);
  holds(b.samples.length >= 2 && a.samples.length > b.samples.length, `${a.samples.length} and ${b.samples.length} samples`);
});
state('stopping one leaves the others running', async () => {
  const first = new Profiler(plenty);
  const second = new Profiler(plenty);
  await first.stop();
  const before = performance.now();
  spin(600);
  const trace = await second.stop();
  holds(trace.samples.some(({ timestamp }) => timestamp > before + 50), 'the other has no sample from after: ' + count(trace));
});
state('timestamps are those of performance.now, in order', async () => {
  const start = performance.now();
  const trace = await profile((sample) => sample());
  const end = performance.now();
  holds(trace.samples.length > 0, count(trace));
  let last = start;
  for (const { timestamp } of trace.samples) {
    holds(timestamp >= last && timestamp <= end, `${timestamp} does not lie between ${last} and ${end}`);
    last = timestamp;
  }
});
state('nothing is sampled after stop', async () => {
  const p = new Profiler(plenty);
  spin(100);
  const end = performance.now();
  const promise = p.stop();
  spin(100);
  for (const { timestamp } of (await promise).samples) holds(timestamp <= end + 1, 'one was taken ' + (timestamp - end) + ' ms after');
});
state('a sample while nothing runs has no stackId', async () => {
  const p = new Profiler(plenty);
  await pause(300);
  const trace = await p.stop();
  const idle = trace.samples.filter((sample) => !('stackId' in sample));
  holds(idle.length > 0, `${idle.length} of ${count(trace)}`);
});
state('a busy page has samples with a stack', async () => {
  const trace = await profile((sample) => sample());
  const busy = trace.samples.filter((sample) => 'stackId' in sample);
  holds(busy.length > 0, `only ${busy.length} of ${count(trace)}`);
});
state('a sample with a stack has a marker where the page is isolated, or elsewhere none but style and layout', async () => {
  const trace = await profile((sample) => sample());
  const ours = trace.fieldprof && globalThis.crossOriginIsolated;
  for (const sample of trace.samples) {
    const { marker, stackId } = sample;
    if (ours && stackId !== undefined) equal(marker, 'script');
    if (!globalThis.crossOriginIsolated) holds([undefined, 'style', 'layout'].includes(marker), marker);
    if (marker) equal(Object.keys(sample)[0], 'marker');
  }
  holds(trace.samples.some(({ stackId }) => stackId !== undefined), count(trace));
});
state('a trace is whole, made of plain objects, and holds nothing twice', async () => {
  const trace = await profile((sample) => {
    sample();
    (() => sample())();
  });
  const index = (value, list, what) => holds(Number.isInteger(value) && value >= 0 && value < list.length, what + ' ' + value);
  const distinct = (list, what) => equal(new Set(list.map((entry) => JSON.stringify(entry))).size, list.length, 'distinct ' + what);
  for (const list of ['resources', 'frames', 'stacks']) distinct(trace[list], list);
  for (const frame of trace.frames) {
    equal(typeof frame.name, 'string');
    if ('resourceId' in frame) index(frame.resourceId, trace.resources, 'resource');
    for (const name of ['line', 'column']) if (name in frame) holds(frame[name] >= 1 && Number.isInteger(frame[name]), name + ' ' + frame[name]);
  }
  trace.stacks.forEach((stack, i) => {
    index(stack.frameId, trace.frames, 'frame');
    if ('parentId' in stack) index(stack.parentId, trace.stacks, 'parent');
    let length = 0;
    for (let id = i; id !== undefined; id = trace.stacks[id].parentId) holds(length++ < trace.stacks.length, 'a stack goes in circles');
  });
  for (const sample of trace.samples) if ('stackId' in sample) index(sample.stackId, trace.stacks, 'stack');
  equal(JSON.stringify(structuredClone(trace)), JSON.stringify(trace));
});
