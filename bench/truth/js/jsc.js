// Runs before a program in jsc: defines what programs expect beyond the language,
// and, if asked to, starts the sampling profiler and finally prints a line with the
// samples. The order precedes this text.
((order) => {
  'use strict';
  const { path, args, mark, sample } = order;
  const show = globalThis.print;
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const { stringify } = JSON;
  const write = (text) => show(String(text));
  const log = (...words) => show(words.map(String).join(' '));
  globalThis.console = { log, info: log, debug: log, warn: log, error: log };
  globalThis.process = {
    argv: ['jsc', path, ...args], env: {}, platform: 'jsc', version: '', versions: {}, cwd: () => '/',
    stdout: { write }, stderr: { write }, nextTick: (call, ...rest) => queueMicrotask(() => call(...rest)),
  };
  globalThis.performance ??= { now: () => globalThis.preciseTime() * 1000 };
  globalThis.queueMicrotask ??= (call) => void Promise.resolve().then(call);
  // The shell ends when no timer is left; so does the program.
  let pending = 1;
  const waiting = new Set();
  const done = () => {
    if (--pending === 0 && sample) show(mark + stringify(samplingProfilerStackTraces()));
  };
  globalThis.setTimeout = (call, delay = 0, ...rest) => {
    pending++;
    const id = start(() => {
      waiting.delete(id);
      try { call(...rest); } finally { start(done, 0); }
    }, delay);
    waiting.add(id);
    return id;
  };
  globalThis.clearTimeout = (id) => {
    if (!waiting.delete(id)) return;
    stop(id);
    start(done, 0);
  };
  globalThis.setImmediate = (call, ...rest) => globalThis.setTimeout(call, 0, ...rest);
  start(done, 0);
  if (sample) startSamplingProfiler();
})(order);
