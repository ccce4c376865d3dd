// The surface: properties, errors, who profiles.
function surface() {
  equal(Profiler.name, 'Profiler', 'name');
  equal(Profiler.length, 0, 'the constructor takes no arguments');
  throws(() => Profiler(), TypeError, 'a call without new');
  const p = new Profiler();
  assert(p instanceof Profiler, 'instanceof');
  equal(Object.prototype.toString.call(p), '[object Profiler]', 'toString');
  for (const name of ['start', 'stop', 'isProfiling', 'frame', 'event', 'results', 'samples', 'reset']) {
    equal(typeof p[name], 'function', name);
    assert(!Object.prototype.propertyIsEnumerable.call(Profiler.prototype, name), name + ' is enumerable');
    throws(() => Profiler.prototype[name].call({}), TypeError, name + ' of something else');
  }
  equal([p.maxAge, p.time, p.events, p.gc], [0, true, true, true], 'attributes');
  const q = new Profiler({ maxAge: 5, time: false, events: false, gc: false });
  equal([q.maxAge, q.time, q.events, q.gc], [5, false, false, false], 'options');
  assert(!Object.keys(globalThis).includes('Profiler'), 'the global property is enumerable');
}

function beforeAnything() {
  const p = new Profiler();
  equal(p.isProfiling(), false, 'a new one');
  throws(() => p.stop(), Error, 'stop of an inactive one');
  throws(() => p.frame(), Error, 'frame of an inactive one');
  p.event('nobody listens');
  p.reset();
  equal(p.results(), { samples: 0, gcSamples: 0, micros: 0, children: [] }, 'results of nothing');
  equal(p.samples(), [], 'samples of nothing');
}

function startAndStop() {
  const p = new Profiler();
  equal(p.start(), undefined, 'start');
  equal(p.isProfiling(), true, 'a started one');
  equal(p.stop(), undefined, 'stop');
  equal(p.isProfiling(), false, 'a stopped one');
  throws(() => p.stop(), Error, 'a second stop');
  throws(() => p.frame(), Error, 'frame of a stopped one');
  p.start(500, 10);
  p.start(2000); // again: another rate, and still one stop
  p.stop();
  throws(() => p.stop(), Error, 'a second stop');
}

function oneAtATime() {
  const [p, q] = [new Profiler(), new Profiler()];
  p.start();
  p.frame().kept = true;
  q.start();
  equal([p.isProfiling(), q.isProfiling()], [false, true], 'the later one profiles');
  const why = throws(() => p.stop(), Error, 'stop of one that was stopped by force');
  assert(why.message.includes('another'), why.message);
  throws(() => p.frame(), Error, 'frame of one that was stopped by force');
  assert(q.isProfiling(), 'and it does not harm the other');
  equal(named(p.results(), 'oneAtATime').filter((c) => c.data).map((c) => c.data), [{ kept: true }], 'what it gathered stays');
  p.start();
  equal([p.isProfiling(), q.isProfiling()], [true, false], 'it may take over again');
  p.stop();
  throws(() => q.stop(), Error, 'stop of the other');
  q.start();
  q.stop();
}

function oddArguments() {
  const p = new Profiler();
  for (const args of [[NaN], [-1], [0], ['x'], [Infinity], [1000, -1], [1000, NaN], [1000, Infinity], [null, null], [1e12, 1e12], [1e-9, 1]]) {
    p.start(...args);
    p.stop();
  }
  sound(p.results());
  for (const options of [null, undefined, {}, { maxAge: 'old' }, { maxAge: -1 }, { maxAge: NaN }]) {
    const q = new Profiler(options);
    q.start();
    q.frame().here = 1;
    q.stop();
    equal(named(q.results(), 'oddArguments').filter((c) => c.data).map((c) => c.data), [{ here: 1 }], 'options ' + JSON.stringify(options));
  }
}

surface();
beforeAnything();
startAndStop();
oneAtATime();
oddArguments();
