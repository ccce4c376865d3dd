// The breaks of the case: the clock, the observers, and the globals that its neighbours patched. Each is
// a function; a break that the browser does not let happen is as good as none.

const clockChance = stream('clock');
let shift = 0;
const clocks = {
  right() {},
  jumps: () => (performance.now = () => real.now() + (shift += clockChance() < 0.01 ? clockChance() * 1e7 : 0)),
  'runs backwards': () => (performance.now = () => 1e7 - real.now()),
  'jumps back': () => (performance.now = () => real.now() + (clockChance() < 0.1 ? -1e5 * clockChance() : 0)),
  'stands still': () => (performance.now = () => 1000),
  'gives NaN': () => (performance.now = () => NaN),
  'gives texts': () => (performance.now = () => 'noon'),
  throws: () => (performance.now = thrower),
  'is missing': () => Object.defineProperty(window, 'performance', { value: undefined }),
  'has a wrong origin': () => Object.defineProperty(performance, 'timeOrigin', { get: () => NaN }),
  'is a date': () => ((Date.now = () => -1), (performance.now = () => Date.now())),
};

/** Observers that give hostile entries, of every type and whenever the case asks. */
const fakes = [];
class FakeObserver {
  static get supportedEntryTypes() {
    return entryTypes;
  }
  constructor(hear) {
    this.hear = hear;
    fakes.push(this);
  }
  observe(options) {
    this.type = options?.type ?? options?.entryTypes?.[0];
  }
  disconnect() {
    this.hear = null;
  }
  takeRecords() {
    return [];
  }
}

const entryChance = stream('entries');

/** Hands each fake observer some entries. */
function feed(count) {
  for (const { hear, type } of [...fakes]) {
    if (typeof hear !== 'function') continue;
    const entries = Array.from({ length: count }, () => hostileEntry(entryChance, type));
    const list = { getEntries: () => entries, getEntriesByType: () => entries, getEntriesByName: () => entries };
    try {
      hear.call(undefined, entryChance() < 0.05 ? {} : list, {}, { droppedEntriesCount: -1 });
    } catch (error) {
      say(`an observer's callback threw ${textOf(error)}`);
    }
  }
}

const patchedObserver = (patch) => () => {
  window.PerformanceObserver = class extends real.Observer {};
  patch(window.PerformanceObserver);
};
const observers = {
  right() {},
  'give hostile entries': () => (window.PerformanceObserver = FakeObserver),
  'are missing': () => delete window.PerformanceObserver,
  'are undefined': () => (window.PerformanceObserver = undefined),
  'throw when made': () => (window.PerformanceObserver = class { constructor() { thrower(); } }),
  'throw when they observe': patchedObserver((Observer) => (Observer.prototype.observe = thrower)),
  'throw when they end': patchedObserver((Observer) => (Observer.prototype.disconnect = Observer.prototype.takeRecords = thrower)),
  'do not know their types': patchedObserver((Observer) => Object.defineProperty(Observer, 'supportedEntryTypes', { value: undefined })),
  'throw for their types': patchedObserver((Observer) => Object.defineProperty(Observer, 'supportedEntryTypes', { get: thrower })),
  'know odd types': patchedObserver((Observer) => Object.defineProperty(Observer, 'supportedEntryTypes', { value: [null, 5n, {}, ...entryTypes] })),
  'are frozen': () => [real.Observer, real.Observer.prototype, performance].forEach(Object.freeze),
  'are functions that give nothing': () => (window.PerformanceObserver = function () { return null; }),
  'answer at once': () => (window.PerformanceObserver = class extends FakeObserver { observe(options) { super.observe(options); feed(3); } }),
};

const neighbours = {
  none() {},
  'listening throws': () => (EventTarget.prototype.addEventListener = thrower),
  'no animation frames': () => (window.requestAnimationFrame = undefined),
  'no idle time': () => (window.requestIdleCallback = window.cancelIdleCallback = undefined),
  'timers throw': () => (window.setTimeout = window.setInterval = thrower),
  'timers never run': () => (window.setTimeout = window.setInterval = () => 0),
  'no channels': () => (window.MessageChannel = undefined),
  'an odd navigation': () => Object.defineProperty(window, 'navigation', { get: thrower }),
  'history throws': () => (history.pushState = history.replaceState = thrower),
  'old arrays': () => delete Array.prototype.at && delete Array.prototype.findLast && delete Array.prototype.flat,
  'new arrays': () => (Array.prototype.extra = Object.prototype.extra = 'enumerable'),
  'no workers': () => (window.Worker = undefined),
  'workers throw': () => (window.Worker = thrower),
  'frozen globals': () => [Object.prototype, Array.prototype, Function.prototype].forEach(Object.freeze),
  'an old JSON': () => (JSON.stringify = () => 'patched'),
  'a Profiler of its own': () => (window.Profiler = class { constructor() { thrower(); } }),
  'no fetch': () => (window.fetch = () => Promise.reject(new TypeError('offline'))),
};

const broken = [choose(Object.entries(clocks), 3), choose(Object.entries(observers), 5), choose(Object.entries(neighbours), 7)];
for (const [, act] of broken) {
  try {
    act();
  } catch {
    // The browser does not allow it.
  }
}
