// Notes what the browser says of a visit, from the first line of the page. Each build has this
// script, first in its head and without checks.
(() => {
  const paints = { fcp: undefined, lcp: undefined };
  const events = [];
  const longTasks = [];
  const errors = [];

  const observers = [];
  function observe(type, note, options) {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return;
    const noteAll = (list) => list.forEach(note);
    const observer = new PerformanceObserver((list) => noteAll(list.getEntries()));
    observer.observe({ type, buffered: true, ...options });
    observers.push(() => noteAll(observer.takeRecords()));
  }
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') paints.fcp = startTime;
  });
  // The browser stops when somebody clicks or types: the last one is the largest.
  observe('largest-contentful-paint', ({ startTime }) => (paints.lcp = startTime));
  observe('longtask', ({ startTime, duration }) => longTasks.push({ startTime, duration }));
  const shortest = 16; // the least that browsers take for an event's threshold, in milliseconds
  observe('event', (entry) => events.push(entry), { durationThreshold: shortest });
  addEventListener('error', (event) => errors.push(event.message || `${event.target?.src || event.target?.href} cannot be loaded`), true);
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason?.stack || reason)));

  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  /** Until what was changed has been painted. */
  async function painted() {
    for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
  }
  /** Until the entries of what was painted have come. */
  async function noted() {
    await painted();
    await rest(30);
    observers.forEach((take) => take());
  }
  async function until(isTrue, what) {
    for (const limit = performance.now() + 60_000; !isTrue(); await rest(5)) {
      if (performance.now() > limit) throw new Error(`no ${what} after a minute`);
    }
  }

  /** Whether the browser has told a time, if it tells entries of this type. */
  const told = (type, time) => time !== undefined || !PerformanceObserver.supportedEntryTypes.includes(type);

  /** The load, once the app has said that it is ready: milliseconds from the navigation. */
  async function loaded() {
    const ready = () => performance.getEntriesByName('ready', 'mark')[0]?.startTime;
    const [navigation] = performance.getEntriesByType('navigation');
    await until(() => ready() !== undefined && navigation.loadEventEnd > 0, 'ready');
    // A busy machine paints long after.
    await until(() => told('paint', paints.fcp) && told('largest-contentful-paint', paints.lcp), 'paint');
    await noted();
    const long = longTasks.reduce((sum, { duration }) => sum + duration, 0);
    return { ...paints, dcl: navigation.domContentLoadedEventEnd, load: navigation.loadEventEnd, ready: ready(), long: PerformanceObserver.supportedEntryTypes.includes('longtask') ? long : undefined };
  }

  /** The middle of an element, to click on. */
  function middle(selector) {
    const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [Math.round(left + width / 2), Math.round(top + height / 2)];
  }

  /** Waits for what a step of the interaction leads to. */
  async function stepped(selector) {
    await until(() => document.querySelector(selector), selector);
    await painted();
    return true;
  }

  /** The time of all handlers of events that are not too short to be named: a handler within another's time counts once. */
  function handled() {
    let sum = 0;
    let end = 0;
    for (const { processingStart, processingEnd } of events.toSorted((a, b) => a.processingStart - b.processingStart)) {
      sum += Math.max(0, processingEnd - Math.max(processingStart, end));
      end = Math.max(end, processingEnd);
    }
    return sum;
  }

  /**
   * The interaction, and what the page shows in the end. Each visit has an interaction, so one that the
   * browser does not name took less than the shortest that it names.
   */
  async function ended() {
    await noted();
    const named = PerformanceObserver.supportedEntryTypes.includes('event');
    const interactions = events.filter(({ interactionId }) => interactionId > 0);
    return {
      inp: named ? Math.max(shortest, ...interactions.map(({ duration }) => duration)) : undefined,
      handlers: named ? handled() : undefined,
      shown: document.body.innerText.replace(/[\s\u200b]+/g, ' ').trim(), // U+200B: AG Grid's way to announce something again
      errors,
    };
  }

  window.visited = { loaded, middle, stepped, ended };
})();
