/* global self, postMessage -- of functions that run in workers */
// Packages that send functions as text, or read what functions are from it, in Node;
// and programs that do so by themselves. It prints a line for each.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { Worker } = require('node:worker_threads');
const { runCases } = require('./cases.js');

const bytes = (n) => Uint8Array.from({ length: n }, (_, i) => (i * i) % 251);
const later = (run) => new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value))));

/** A function that travels: a loop, a way out early, inner functions, an await. */
function primes(limit) {
  const found = [];
  for (let n = 2; n < limit; n++) if (found.every((p) => n % p)) found.push(n);
  if (limit < 3) return;
  return found.map((p) => p * 2).join();
}
const slowly = async (n) => {
  const half = await new Promise((resolve) => setTimeout(resolve, 1, n / 2));
  return half + (await 1);
};
class Point {
  constructor(x) { this.x = x }
  get twice() { return this.x * 2 }
  static of(x) { return new Point(x) }
  *steps() { for (let i = 0; i < this.x; i++) yield i; yield }
}

function threads(text, data) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(text, { eval: true, workerData: data });
    worker.on('error', reject);
    worker.on('message', (value) => worker.terminate().then(() => resolve(value)));
  });
}

runCases({
  async fflate() {
    const fflate = require('fflate');
    const packed = await later((done) => fflate.gzip(bytes(300_000), done));
    const zipped = await later((done) => fflate.zip({ 'a.txt': bytes(2000), 'b.txt': bytes(700_000) }, done));
    const files = await later((done) => fflate.unzip(zipped, done));
    return [packed.length, (await later((done) => fflate.gunzip(packed, done))).length, zipped.length, Object.keys(files)];
  },

  async workerpool() {
    const pool = require('workerpool').pool({ maxWorkers: 1 });
    try {
      return [await pool.exec(primes, [40]), await pool.exec(slowly, [10]), await pool.exec((a, b) => a + b, [2, 3])];
    } finally {
      await pool.terminate(true);
    }
  },

  paralleljs: () => new Promise((resolve) => {
    const Parallel = require('paralleljs');
    new Parallel([10, 20, 30], { maxWorkers: 2 }).map((n) => { let sum = 0; for (let i = 0; i < n; i++) sum += i; return sum }).then(resolve);
  }),

  'tiny-worker': () => new Promise((resolve, reject) => {
    const Tiny = require('tiny-worker');
    const worker = new Tiny(function () {
      self.onmessage = function (event) {
        let sum = 0;
        for (const n of event.data) sum += n;
        postMessage(sum);
      };
    });
    worker.onerror = reject;
    worker.onmessage = (event) => { worker.terminate(); resolve(event.data) };
    worker.postMessage([1, 2, 3]);
  }),

  isoworker() {
    const { workerize } = require('isoworker');
    function base(n) { return n * 3 }
    const run = workerize((n, done) => { for (let i = 0; i < 3; i++) n = base(n); done ? done(n) : 0; return n }, () => [base]);
    return new Promise((resolve, reject) => run(2, (error, value) => (error ? reject(error) : (run.close(), resolve(value)))));
  },

  'serialize-javascript'() {
    const pkg = require('serialize-javascript');
    const serialize = pkg.default || pkg;
    const text = serialize({ primes, slowly, method(a) { return a ? a + 1 : undefined }, date: new Date(0), arrow: (x) => x * 2 });
    const back = vm.runInNewContext(`(${text})`, { setTimeout });
    return back.slowly(4).then((sum) => [text, back.primes(30), back.method(1), back.arrow(4), sum]);
  },

  'javascript-stringify'() {
    const { stringify } = require('javascript-stringify');
    const text = stringify({ primes, slowly, method(a) { return a + 1 }, get got() { return 1 }, async *'odd name'() { yield; return }, [Symbol.iterator]: () => 1 }, null, 2);
    const back = vm.runInNewContext(`(${text})`);
    return [text, back.primes(20), back.method(5)];
  },

  async async() {
    const async = require('async');
    return async.autoInject({
      one: (callback) => { callback(null, 1) },
      two(one, callback) { callback(null, one + 1) },
      three: async function (one, two) { return one + two },
      four: async function (three /* the third */, one) { return three + one },
    });
  },

  awilix() {
    const { createContainer, asFunction, asClass, InjectionMode } = require('awilix');
    class Store { constructor(url, options = { deep: (a) => a }) { this.url = url; this.deep = typeof options } }
    const container = createContainer({ injectionMode: InjectionMode.CLASSIC });
    container.register({
      url: asFunction(() => 'memory:'),
      options: asFunction(() => ({})),
      store: asClass(Store),
      service: asFunction((store, url) => { for (const key in store) if (key === 'no') return; return { of: store.url, url } }),
    });
    return [container.resolve('store'), container.resolve('service')];
  },

  bson() {
    const { serialize, deserialize } = require('bson');
    const packed = serialize({ map: primes, reduce: (key, values) => { let n = 0; for (const v of values) n += v; return n } }, { serializeFunctions: true });
    const { map, reduce } = deserialize(packed);
    return [packed.length, map.code, reduce.code];
  },

  // Their code looks at a small function of its own, and loops for ever where it differs.
  obfuscated: () => ['a', 'b'].map((name) => {
    vm.runInThisContext(fs.readFileSync(path.join(__dirname, `obfuscated-${name}.js`), 'utf8'), { timeout: 40_000 });
    return globalThis.obfuscated;
  }),

  evaluated: () => [
    new Function(`return ${primes}`)()(30),
    vm.runInNewContext(`(${primes})`)(30),
    (0, eval)(`(${Point})`).of(3).twice,
    [...new (vm.runInNewContext(`(${Point})`))(3).steps()],
    vm.runInNewContext(`({${Point.prototype.steps}})`).steps.name,
    String(Object.getOwnPropertyDescriptor(Point.prototype, 'twice').get),
    `${slowly}` === slowly + '' && slowly.toString() === Function.prototype.toString.call(slowly),
  ],

  bodies: () => {
    const text = function (a) { let i = 0; while (a > i) i++; return i }.toString();
    return new Function('a', text.slice(text.indexOf('{') + 1, text.lastIndexOf('}')))(5);
  },

  threads: async () => [
    await threads(`const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage((${primes})(workerData))`, 50),
    await threads(`(${async () => {
      const { parentPort, workerData } = require('node:worker_threads');
      for await (const n of workerData) if (n > 1) return parentPort.postMessage(n);
    }})()`, [1, 2, 3]),
  ],

  texts: () => [primes, slowly, Point, Point.of, Point.prototype.steps, Math.max, primes.bind(null), new Proxy(primes, {}), threads, runCases].map(String),

  // Another one that wraps the same method.
  'zone.js'() {
    const before = String(primes);
    vm.runInThisContext(fs.readFileSync(path.join(__dirname, 'node_modules/zone.js/bundles/zone.umd.js'), 'utf8'));
    return [before === String(primes), String(Promise), String(setTimeout).includes('native code'), Function.prototype.toString.toString()];
  },
}, console.log).then(() => process.exit());
