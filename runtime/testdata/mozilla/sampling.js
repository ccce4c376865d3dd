// Time: ticks, their weights, and their bounds.
function busy() {
  let x = 1;
  for (let i = 0; i < 20000; i++) x = (x * 1103515245 + 12345) % 2147483648;
  return x;
}

function leaf(x) {
  return (x * 1103515245 + 12345) % 2147483648;
}

function calls() {
  let x = 1;
  for (let i = 0; i < 2000; i++) x = leaf(x);
  return x;
}

/** The rate in microseconds, and that no more ticks came than it allows. */
function kept(results, rate) {
  const all = results.samples + results.gcSamples + (results.idleSamples || 0) + (results.programSamples || 0);
  assert(all <= results.micros / rate, all + ' ticks in ' + results.micros + ' µs at ' + rate + ' µs');
}

/** When the oldest sample was taken, once there is one: a collection may have taken the place of all. */
function oldest(p) {
  until(() => p.samples().length > 0, busy);
  return p.samples()[0]?.micros;
}

function tree() {
  const p = new Profiler();
  const before = Date.now();
  p.start(500);
  const seen = (r, name) => sum(named(r, name), (c) => c.samples) > 0;
  const enough = (r) => r.samples >= 40 && seen(r, 'busy') && seen(r, 'calls'); // which a clock of a millisecond finds by chance
  until(() => enough(p.results()), () => busy() + calls());
  p.stop();
  const took = Date.now() - before;
  const r = p.results();
  sound(r);
  kept(r, 500);
  assert(r.micros > 0 && r.micros <= (took + 2) * 1000, r.micros + ' µs in ' + took + ' ms');
  assert(sum(named(r, 'busy'), (c) => c.selfCount) > 0, 'busy has time of its own');
  assert(sum(named(r, 'calls'), (c) => c.samples) > 0, 'calls has time');
  for (const { path, child } of nodes(r)) {
    assert(path[0] === '<top level>' || path[0] === '', 'outermost: ' + path);
    if (child.function.name === 'busy') equal(child.function.line, 2, 'where busy is defined');
    if (child.function.name === 'busy') assert(child.site.line >= 2 && child.site.line <= 6, 'where it stood: ' + child.site.line);
  }
  equal(p.results(), r, 'results are the same again');
  list(p, r);
}

function list(p, r) {
  const samples = p.samples();
  equal(sum(samples, (s) => s.weight), r.samples, 'weights');
  let last = 0;
  for (const s of samples) {
    assert(Number.isInteger(s.micros) && s.micros >= last, 'micros grow');
    assert(Number.isInteger(s.weight) && s.weight > 0, 'weight');
    assert(Array.isArray(s.stack) && s.stack.length > 0, 'the stack is not empty');
    for (const call of s.stack) equal(Object.keys(call).sort(), ['function', 'site'], 'a frame');
    last = s.micros;
  }
  assert(last <= r.micros, 'micros count from the start');
  const tops = samples.filter((s) => s.stack[0].function.name === 'busy');
  equal(sum(tops, (s) => s.weight), sum(named(r, 'busy'), (c) => c.selfCount), 'innermost first');
  for (const s of tops) equal(s.stack[1].function.name, undefined, 'its caller is the arrow function');
}

function deferred() {
  const p = new Profiler();
  p.start(500);
  const text = JSON.stringify(Array.from({ length: 300000 }, (_, i) => i));
  until(() => p.samples().some((s) => s.weight > 1), () => JSON.parse(text));
  p.stop();
  sound(p.results());
}

function ring() {
  const p = new Profiler();
  p.start(500, 5);
  until(() => p.results().samples === 5, busy);
  const first = oldest(p);
  until(() => oldest(p) > first + 5000, busy);
  p.stop();
  assert(p.results().samples <= 5, 'no more than the limit');
  assert(p.results().samples + p.results().gcSamples > 0, 'the latest are kept');
  sound(p.results());
}

function running() {
  const p = new Profiler();
  p.start(500);
  until(() => p.results().samples >= 5, busy);
  const early = p.results().micros;
  until(() => p.results().micros > early, busy);
  p.stop();
  const [stopped, samples] = [p.results().micros, p.results().samples];
  for (let i = 0; i < 50; i++) busy();
  equal([p.results().micros, p.results().samples], [stopped, samples], 'a stopped one gathers nothing');
  p.start(500);
  until(() => p.results().samples > samples, busy);
  p.stop();
  assert(p.results().micros > stopped, 'a second start adds');
  const r = p.results();
  kept(r, 500);
  p.reset();
  equal(p.samples(), [], 'reset');
  p.start(500);
  until(() => p.results().samples >= 3, busy);
  p.reset();
  const after = p.results();
  assert(after.samples <= 1 + after.micros / 500, 'reset while it runs');
  until(() => p.results().samples >= 3, busy);
  assert(oldest(p) < r.micros + 1e7, 'and time counts from there');
  p.stop();
}

function without() {
  const p = new Profiler({ time: false });
  p.start(100);
  const end = Date.now() + 20;
  while (Date.now() < end) busy();
  p.frame().there = true;
  p.stop();
  equal([p.results().samples, p.samples()], [0, []], 'no time');
  assert(p.results().micros >= 15000, 'but micros');
  equal(named(p.results(), 'without').filter((c) => c.data).map((c) => c.data), [{ there: true }], 'and data');
}

function aged() {
  const p = new Profiler({ maxAge: 0.05 });
  p.start(500);
  p.frame().early = true;
  until(() => p.results().samples >= 5, busy);
  const early = oldest(p);
  until(() => !named(p.results(), 'aged').some((c) => c.data), busy);
  until(() => !p.samples().some((s) => s.micros <= early), busy);
  const r = p.results();
  p.stop();
  sound(r);
  assert(r.samples <= 100, r.samples + ' ticks in 50 ms at 500 µs');
}

tree();
deferred();
ring();
running();
without();
aged();
