// frame(): one object for each distinct backtrace.
function fetch(p) {
  return p.frame();
}

function identity() {
  const p = new Profiler();
  p.start();
  const seen = new Set();
  for (let i = 0; i < 3; i++) seen.add(fetch(p));
  equal(seen.size, 1, 'the same backtrace');
  equal(Object.keys([...seen][0]), [], 'it is empty at first');
  assert(fetch(p) !== [...seen][0], 'another line of the caller');
  const [a, b] = [fetch(p), fetch(p)];
  assert(a !== b, 'another column of the caller');
  p.stop();
  p.start();
  for (let i = 0; i < 2; i++) seen.add(p.frame());
  p.stop();
  equal(seen.size, 2, 'they persist from start to start');
  const q = new Profiler();
  q.start();
  const mine = [];
  for (let i = 0; i < 2; i++) mine.push(fetch(i ? p.start() || p : q));
  assert(mine[0] !== mine[1], 'each profiler has its own');
  p.stop();
}

function recursive(p, depth, seen) {
  seen.push(p.frame());
  if (depth > 1) recursive(p, depth - 1, seen);
}

function results() {
  const p = new Profiler();
  p.start(1e9);
  const info = p.frame();
  info.text = 'x';
  info.list = [1, { deep: true }];
  p.frame(); // has nothing
  const seen = [];
  recursive(p, 3, seen);
  seen.forEach((data, i) => (data.depth = i));
  equal(new Set(seen).size, 3, 'each depth is a backtrace');
  p.stop();
  const r = p.results();
  sound(r);
  equal(r.samples, 0, 'there was no tick');
  equal(named(r, 'results').filter((c) => c.data).map((c) => c.data), [{ text: 'x', list: [1, { deep: true }] }, {}], 'data');
  const deep = nodes(r).filter(({ path, child }) => child.data && path[path.length - 1] === 'recursive');
  equal(deep.map(({ child }) => child.data), [{ depth: 0 }, { depth: 1 }, { depth: 2 }], 'data of the recursive ones');
  equal(deep[2].path.slice(-4), ['results', 'recursive', 'recursive', 'recursive'], 'the path to the innermost');
  const { child } = deep[0];
  equal([child.function.line, child.site.line], [29, 30], 'lines of the function and of frame()');
  assert(child.function.column > 0 && child.site.column > 0, 'columns');
  equal(child.site.file, child.function.file, 'files');
  assert(!('samples' in child) && !('selfCount' in child), 'no samples');

  info.later = 1;
  assert(JSON.stringify(p.results()).includes('"later":1'), 'what is attached later shows');
  p.reset();
  equal(p.results(), { samples: 0, gcSamples: 0, micros: 0, children: [] }, 'reset forgets all');
  p.start();
  for (let i = 0; i < 2; i++) fetch(p).n = (fetch(p).n || 0) + 1;
  p.reset();
  assert(p.isProfiling(), 'reset does not stop');
  assert(fetch(p).n === undefined, 'reset forgets while it runs');
  p.stop();
}

function anonymous() {
  const p = new Profiler();
  p.start(1e9);
  [1].forEach(function () { p.frame().anonymous = true });
  p.stop();
  const found = nodes(p.results()).filter(({ child }) => child.data);
  equal(found.length, 1, 'one');
  assert(!('name' in found[0].child.function), 'an anonymous function has no name');
  equal(found[0].path[0], '<top level>', 'the outermost');
}

identity();
results();
anonymous();
