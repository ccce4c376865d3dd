// A clock that the page moves, for tests of what an SDK does each minute: `pass(ms)` lets time
// pass. Timers of half a minute and more wait for this clock, and run in a task of their own once it
// gets there; shorter ones (the runtime's, and the application's breaks) run as always.
{
  const { performance, Date: RealDate, setTimeout: realTimeout, clearTimeout: realClear } = globalThis;
  const started = performance.now();
  const startedAt = RealDate.now();
  const waiting = new Map();
  let passed = 0;
  performance.now = () => started + passed;
  globalThis.Date = class Date extends RealDate {
    constructor(...parts) {
      super(...(parts.length ? parts : [startedAt + passed]));
    }
    static now() {
      return startedAt + passed;
    }
  };
  globalThis.setTimeout = (task, delay, ...args) => {
    if (!(delay >= 30000)) return realTimeout(task, delay, ...args);
    const id = -1 - waiting.size;
    waiting.set(id, { due: passed + delay, task: () => task(...args) });
    return id;
  };
  globalThis.clearTimeout = (id) => {
    if (waiting.has(id)) waiting.set(id, { due: Infinity });
    else realClear(id);
  };
  globalThis.pass = (milliseconds) => {
    passed += milliseconds;
    for (const [id, { due, task }] of waiting) {
      if (due > passed) continue;
      waiting.set(id, { due: Infinity });
      realTimeout(task);
    }
  };
}
