// Workers whose script is a string of the page's have a Profiler where Worker is wrapped,
// which nothing else shows. A frame without the runtime has the browser's own Worker.
const frame = document.documentElement.appendChild(document.createElement('iframe'));
const bare = frame.contentWindow;

const profiles = `(async () => {
  const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1000 });
  for (const end = performance.now() + 100; performance.now() < end; );
  const trace = await profiler.stop();
  postMessage({ samples: Array.isArray(trace.samples), at: location.href, name: self.name });
})().catch((error) => postMessage({ error: String(error) }))`;

const blobOf = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

/** The first message of a worker. */
function hear(worker, patience = 15000) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no answer')), patience);
    worker.onmessage = ({ data }) => (data?.error ? reject(new Error(data.error)) : resolve(data));
    worker.onerror = (event) => reject(new Error(event.message || 'the worker failed'));
  }).finally(() => worker.terminate());
}

async function sampled(worker) {
  const said = await hear(worker);
  equal(said.samples, true, 'a list of samples');
  return said;
}

/** The visible properties of a constructor or a function. */
const look = (of) => ({
  own: Reflect.ownKeys(of).map(String).sort(),
  flags: Reflect.ownKeys(of).map((key) => ({ ...Object.getOwnPropertyDescriptor(of, key), value: 0, key: String(key) })).sort((a, b) => (a.key < b.key ? -1 : 1)),
  text: typeof of === 'function' && [of.name, of.length, String(of), Function.prototype.toString.call(of)],
});
const flags = (of, name) => ({ ...Object.getOwnPropertyDescriptor(of, name), value: 0 });

for (const name of ['Worker', 'Blob', 'File']) {
  state(name + ' looks like that of the browser', () => {
    const [own, other] = [globalThis[name], bare[name]];
    equal(look(own), look(other));
    equal(flags(globalThis, name), flags(bare, name));
    equal(look(own.prototype), look(other.prototype));
    equal(flags(own.prototype, 'constructor'), flags(other.prototype, 'constructor'));
    holds(own.prototype.constructor === own, 'its prototype has another constructor');
  });
}
state('they inherit as ever', () => {
  holds(Object.getPrototypeOf(Worker) === EventTarget && Object.getPrototypeOf(File) === Blob, 'from others');
  holds(new File(['a'], 'a') instanceof Blob && new Blob(['a']).slice() instanceof Blob, 'an instance is not one');
});
for (const name of ['createObjectURL', 'revokeObjectURL']) {
  state(`URL.${name} looks like that of the browser`, () => {
    equal(look(URL[name]), look(bare.URL[name]));
    equal(flags(URL, name), flags(bare.URL, name));
  });
}
state('Function.prototype.toString looks like that of the browser', () => equal(look(Function.prototype.toString), look(bare.Function.prototype.toString)));
state('errors are those of the browser', async () => {
  const url = blobOf('');
  for (const args of [[], [url, 5], [url, { type: 'bogus' }], [url, { credentials: 'bogus' }], [Symbol()], [{ toString: () => JSON.parse('{') }], [url, { name: Symbol() }]]) {
    const error = (make) => {
      try {
        make(...args).terminate();
      } catch (error) {
        return error.name;
      }
    };
    equal(error((...args) => new Worker(...args)), error((...args) => new bare.Worker(...args)), 'the error');
  }
  await throws('TypeError', () => Worker(url));
});
state('options are read once, in the order of the browser', () => {
  const url = blobOf('');
  const reads = (make) => {
    const log = [];
    const member = (name, value) => ({ get: () => (log.push(name), value) });
    make(url, Object.defineProperties({}, { type: member('type', 'classic'), name: member('name', { toString: () => (log.push('text of name'), 'n') }), credentials: member('credentials', 'omit') })).terminate();
    return log;
  };
  equal(reads((...args) => new Worker(...args)), reads((...args) => new bare.Worker(...args)));
});
state('a worker is one', () => {
  const worker = new Worker(blobOf(''));
  holds(worker instanceof Worker && worker instanceof EventTarget && worker.constructor === Worker && Object.getPrototypeOf(worker) === Worker.prototype, 'it is not');
  equal(Reflect.ownKeys(worker).length, 0, 'properties of its own');
  worker.terminate();
});
state('a class may extend it', async () => {
  class Own extends Worker {
    twice(n) {
      return 2 * n;
    }
  }
  const worker = new Own(blobOf(profiles), { name: 'own' });
  holds(worker instanceof Own && worker instanceof Worker, 'an instance is not one');
  equal(worker.twice(2), 4);
  equal((await sampled(worker)).name, 'own');
});
state('a worker from a blob', async () => sampled(new Worker(blobOf(profiles))));
state('a worker from a URL object with a fragment', async () => {
  const { at } = await sampled(new Worker(new URL(blobOf(profiles) + '#part')));
  holds(at.startsWith('blob:'), at);
});
state('a worker whose URL is revoked at once', async () => {
  const url = blobOf(profiles);
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  await sampled(worker);
});
state('what was revoked is gone', async () => {
  const url = blobOf(profiles);
  const { at } = await sampled(new Worker(url));
  URL.revokeObjectURL(url);
  for (const gone of [url, at]) {
    const error = await fetch(gone).catch((error) => error);
    holds(error instanceof TypeError, gone + ' is still there');
  }
});
state('several workers from one blob', async () => {
  const url = blobOf(profiles);
  await Promise.all([new Worker(url), new Worker(url), new Worker(url)].map(sampled));
});
state('a worker from a data: URL', async () => {
  for (const url of ['data:text/javascript,' + encodeURIComponent(profiles), 'data:text/javascript;base64,' + btoa(profiles), 'data:,' + encodeURIComponent(profiles)]) await sampled(new Worker(url));
});
state('a worker from a blob in a worker from a blob', async () => {
  const outer = `const inner = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(profiles)}])));
    inner.onmessage = ({ data }) => postMessage(data);
    inner.onerror = (event) => postMessage({ error: event.message || 'the inner worker failed' });`;
  await sampled(new Worker(blobOf(outer)));
});
state('a module from a blob starts as it is', async () => equal(await hear(new Worker(blobOf('postMessage(typeof importScripts); export {}'), { type: 'module' })), 'function'));
state('a strict text is strict, and no other', async () => {
  const mode = 'postMessage((function () { return this ? "sloppy" : "strict" })())';
  const texts = { strict: ['"use strict";' + mode, "/* a */ // b\n 'use strict'\n" + mode, '"use strict" // c\n;' + mode], sloppy: [mode, '/* "use strict"; */' + mode, '"use strict" + 1;' + mode, '"use strict"\n.length;' + mode] };
  for (const want of ['strict', 'sloppy']) {
    for (const text of texts[want]) {
      for (const url of [blobOf(text), 'data:,' + encodeURIComponent(text), 'data:;base64,' + btoa(text)]) equal(await hear(new Worker(url)), want, text);
    }
  }
});
state('lines are those of the text', async () => {
  const error = await new Promise((resolve) => {
    const worker = new Worker(blobOf('\n\n  throw new Error("three")'));
    worker.onerror = (event) => (event.preventDefault(), worker.terminate(), resolve([event.lineno, /three/.test(event.message)]));
  });
  equal(error, [3, true]);
});
state('what is not there fails as ever', async () => {
  const url = blobOf('');
  URL.revokeObjectURL(url);
  for (const absent of [url, 'absent.js']) {
    const outcome = await new Promise((resolve) => {
      try {
        new Worker(absent).onerror = (event) => (event.preventDefault(), resolve('error'));
      } catch (error) {
        resolve('error');
      }
    });
    equal(outcome, 'error');
  }
});
state('the script of a file is the file', async () => sees(await hear(new Worker('worker.js'))));
function sees({ trace }) {
  holds(Array.isArray(trace.samples), 'there is no trace');
}
