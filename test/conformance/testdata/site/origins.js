// Code that must not be seen: other realms, and scripts of other origins that do not
// agree. Of two that serve the same files, `open` agrees, by CORS, and `closed`
// does not; requests to our own under /closed/ redirect there.
const open = new URLSearchParams(location.search).get('open');
const closed = new URLSearchParams(location.search).get('closed');

function load(src, crossOrigin) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    if (crossOrigin) script.crossOrigin = crossOrigin;
    script.onload = resolve;
    script.onerror = () => reject(new Error(src + ' does not load'));
    script.src = src;
    document.head.append(script);
  });
}

const unseen = (trace, name) => {
  equal(named(trace, name).length, 0, 'frames named ' + name);
  holds(!trace.resources.some((resource) => resource.startsWith(closed)), trace.resources.join(' '));
};

state('a frame of another document is not seen', async () => {
  const trace = await profile(() => frames[0].childSpins(250));
  equal(named(trace, 'childSpins').length, 0, 'frames named childSpins');
  holds(!trace.resources.some((resource) => resource.endsWith('child.html')), trace.resources.join(' '));
});
state('nor is what it does by itself', async () => {
  const profiler = new Profiler(plenty);
  await new Promise((resolve) => frames[0].setTimeout(() => resolve(frames[0].childSpins(200))));
  const trace = await profiler.stop();
  equal(named(trace, 'childSpins').length, 0, 'frames named childSpins');
});
state('a script of another origin is not seen', async () => {
  await load(closed + '/far.js');
  unseen(await profile(() => farSpins(250)), 'farSpins');
});
state('alone on the stack it leaves samples and nothing else', async () => {
  await load(closed + '/far.js');
  const trace = await farProfiles();
  equal([trace.resources.length, trace.frames.length, trace.stacks.length], [0, 0, 0]);
  holds(trace.samples.length > 0, trace.samples.length + ' samples');
});
state('what calls it, and what it calls, is seen', async () => {
  await load(closed + '/far.js');
  const trace = await profile(function near(sample) {
    farCalls(function nearer() {
      sample();
    });
  });
  unseen(trace, 'farCalls');
  const chains = stacksOf(trace).map((frames) => frames.map((frame) => frame.name).join('<'));
  holds(chains.some((chain) => chain.includes('nearer<near<')), chains.join(' '));
});
state('nor is one that an address of our own redirects to', async () => {
  await load('/closed/far.js');
  unseen(await profile(() => farSpins(250)), 'farSpins');
  const trace = await farProfiles();
  equal([trace.resources.length, trace.frames.length, trace.stacks.length], [0, 0, 0]);
});
state('a script of another origin that agrees, by CORS, is seen', async () => {
  await load(open + '/far.js?agreed', 'anonymous');
  const trace = await profile(() => farSpins(250));
  const [frame] = named(trace, 'farSpins');
  holds(frame, 'no farSpins among ' + trace.frames.map((frame) => frame.name));
  equal(trace.resources[frame.resourceId], told(trace, open + '/far.js?agreed'));
});
state('a module of another origin is seen', async () => {
  const { moduleSpins } = await import(open + '/far.mjs');
  const trace = await profile(() => moduleSpins(250));
  await defined(trace, 'moduleSpins', open + '/far.mjs', 'function moduleSpins(');
});
