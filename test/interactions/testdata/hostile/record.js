// The case: its parts, and what it says and does, to be compared.
const query = new URLSearchParams(location.search);
const seed = Number(query.get('seed'));
const isObserved = query.get('observed') === '1';

// Builtins that the case may break later.
const real = {
  now: performance.now.bind(performance),
  later: setTimeout.bind(window),
  tell: parent.postMessage.bind(parent),
  listen: addEventListener.bind(window),
  Observer: window.PerformanceObserver,
  Channel: MessageChannel,
  Promise,
  error: Error,
};

/** A random stream of its own: the draws of one part do not shift another's. */
function stream(name) {
  let state = seed * 2654435761 + name.length * 40503 + name.charCodeAt(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of a list for each seed; with another prime per list all pairs come. */
const choose = (list, prime) => list[(seed * prime + prime) % list.length];

const log = [];
const say = (text) => log.push(String(text).slice(0, 300));
const textOf = (value) => {
  try {
    return String(value);
  } catch {
    return 'a value without a text';
  }
};
for (const level of ['debug', 'log', 'info', 'warn', 'error']) console[level] = (...words) => say(`${level}: ${words.map(textOf).join(' ')}`);
real.listen('error', (event) => {
  say(`error: ${event.message}`);
  event.preventDefault();
});
real.listen('unhandledrejection', (event) => {
  say(`rejection: ${textOf(event.reason)}`);
  event.preventDefault();
});

/** The next task. */
const task = () =>
  new real.Promise((done) => {
    const { port1, port2 } = new real.Channel();
    port1.onmessage = () => done();
    port2.postMessage(0);
  });
