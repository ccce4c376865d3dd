// Profiler.Statistics against the exact answers.
const { Statistics } = Profiler;

function of(values) {
  const s = new Statistics();
  for (const value of values) s.insert(value);
  return s;
}

/** Numbers without a pattern, the same each time. */
function* drawn(n) {
  for (let i = 0, x = 42; i < n; i++) {
    x = (x * 1103515245 + 12345) % 2147483648;
    yield x / 2147483648;
  }
}

function near(got, want, error, what) {
  assert(Math.abs(got - want) <= Math.abs(want) * error + 1e-12, what + ': got ' + got + ', want ' + want);
}

function check(s, values, what) {
  const sorted = [...values].sort((a, b) => a - b);
  equal([s.count, s.min, s.max], [sorted.length, sorted[0], sorted[sorted.length - 1]], what);
  const total = sum(sorted, (v) => v);
  const average = total / sorted.length;
  assert(Math.abs(s.sum - total) <= 1e-9 * sum(sorted, Math.abs), what + ' sum');
  assert(Math.abs(s.average - average) <= 1e-9 * sum(sorted, Math.abs), what + ' average');
  near(s.variance, sum(sorted, (v) => (v - average) ** 2) / sorted.length, 1e-6, what + ' variance');
  for (const p of [0, 1, 10, 50, 90, 99, 99.9, 100]) {
    const want = sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)];
    near(s.percentile(p), want, s.error * 1.0001, what + ' percentile ' + p);
  }
}

function nothing() {
  const s = new Statistics();
  equal([s.count, s.sum, s.min, s.max, s.average, s.variance, s.percentile(50)], [0, 0, null, null, null, null, null].map((x) => (x === null ? undefined : x)), 'nothing');
  equal(s, { count: 0 }, 'nothing as JSON');
  for (const odd of [NaN, Infinity, -Infinity, 'x', undefined, {}]) s.insert(odd);
  equal(s.count, 0, 'no numbers');
  throws(() => s.insert(Symbol()), TypeError, 'a symbol');
  equal(of([1]).percentile(101), undefined, 'no such percentile');
  equal(of([1]).percentile(NaN), undefined, 'no such percentile');
}

function distributions() {
  const shapes = {
    even: (u) => u * 100,
    'both signs': (u) => u * 20 - 10,
    'long tail': (u) => Math.exp(6 * u),
    'with zeros': (u) => (u < 0.3 ? 0 : u),
    whole: (u) => Math.floor(u * 7),
    tiny: (u) => u * 1e-300,
  };
  for (const name in shapes) {
    const values = [...drawn(3000)].map(shapes[name]);
    const s = of(values);
    near(s.error, 0.01, 1e-9, 'the error of ' + name);
    check(s, values, name);
    const [a, b] = [of(values.slice(0, 1000)), of(values.slice(1000))];
    a.merge(b);
    check(a, values, name + ' merged');
  }
  equal([of([5]).percentile(50), of([5]).variance], [5, 0], 'one value');
}

function wide() {
  // Sixty orders of magnitude need more buckets than there are.
  const values = [...drawn(20000)].map((u) => 10 ** (60 * u - 30));
  const s = of(values);
  assert(s.error > 0.01 && s.error < 0.1, 'the error is told: ' + s.error);
  check(s, values, 'wide');
  const narrow = [...drawn(500)].map((u) => 1 + u);
  const both = of(narrow);
  both.merge(s);
  check(both, narrow.concat(values), 'narrow and wide');
  s.merge(of(narrow));
  check(s, narrow.concat(values), 'wide and narrow');
  s.merge(s);
  equal(s.count, 20500, 'merged with itself');
  s.merge(new Statistics());
  equal(s.count, 20500, 'merged with nothing');
}

nothing();
distributions();
wide();
