// Ends as its arguments say: an event, its place, and what is beside it. Its output, and how
// it ends, must not depend on whether it is profiled. With WORK it first works until ticks
// have found it. Without arguments it prints the possible values of each, as JSON.
const { EventEmitter } = require('node:events');
const fs = require('node:fs');
const vm = require('node:vm');

const [where, what, beside] = process.argv.slice(2);
const say = (...words) => fs.writeSync(1, `${words.join(' ')}\n`);

function heavy(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s = (s * 31 + i) % 65521;
  return s;
}

if (process.env.WORK) {
  const { start, stop } = require('@fieldprof/runtime/node');
  for (let taken = 0; taken < 20; ) {
    start({ interval: 2 });
    for (let i = 0; i < 100; i++) heavy(100000);
    taken += stop().taken;
  }
}

const neighbours = {
  nothing() {},
  listener: () => process.on('exit', (code) => say('exit', code, process.exitCode)),
  throwing: () => process.on('exit', () => { throw new Error('in exit'); }),
  exiting: () => process.on('exit', () => process.exit(8)),
  recoding: () => process.on('exit', () => { process.exitCode = 9; }),
  code() { process.exitCode = 10; },
  catching: () => process.on('uncaughtException', (error, origin) => say('caught', error, origin)),
  catchingOnce: () => process.once('uncaughtException', (error) => say('caught', error)),
  catchingExits: () => process.on('uncaughtException', () => process.exit(11)),
  catchingThrows: () => process.on('uncaughtException', () => { throw new Error('in catching'); }),
  capturing: () => process.setUncaughtExceptionCaptureCallback((error) => say('captured', error)),
  monitoring: () => process.on('uncaughtExceptionMonitor', (error) => say('monitored', error)),
  rejections: () => process.on('unhandledRejection', (reason) => say('rejected', reason)),
  longer() {
    process.once('beforeExit', () => { say('before exit'); setTimeout(say, 1, 'later'); });
  },
  terminable: () => process.on('SIGTERM', (signal, number) => { say(signal, number); process.exit(12); }),
  terminableOnce: () => process.once('SIGTERM', (signal) => { say(signal); setTimeout(() => process.kill(process.pid, 'SIGTERM'), 1); }),
  alone() { // as signal-exit does
    const alone = (signal) => {
      if (process.listeners(signal).length !== 1) return;
      process.off(signal, alone);
      say('alone', signal);
      process.kill(process.pid, signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, alone);
  },
  emitter() { // as signal-exit does
    const { emit } = process;
    process.emit = function (name, ...rest) {
      if (name === 'exit') say('emits', ...rest);
      return Reflect.apply(emit, this, [name, ...rest]);
    };
  },
  reallyExit() {
    const { reallyExit } = process;
    process.reallyExit = (code) => { say('really', code); reallyExit.call(process, code); };
  },
  wrapper() { // as shutdown helpers do
    const { exit } = process;
    process.exit = (code) => { say('asked to exit', code); exit.call(process, code); };
  },
};

const places = {
  main: (end) => end(),
  promise: (end) => { Promise.resolve().then(end); },
  async awaited(end) { await null; await null; end(); },
  tick: (end) => process.nextTick(end),
  microtask: (end) => queueMicrotask(end),
  timer: (end) => setTimeout(end, 1),
  immediate: (end) => setImmediate(end),
  message(end) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); end(); };
    port2.postMessage(0);
  },
  file: (end) => fs.stat(__filename, () => end()),
  event: (end) => new EventEmitter().on('it', end).emit('it'),
  generator(end) {
    const steps = (function* () { try { yield 1; } finally { end(); } })();
    steps.next();
    steps.return();
  },
  context: (end) => vm.runInNewContext('end()', { end }),
  exit: (end) => process.on('exit', end),
  beforeExit: (end) => process.once('beforeExit', end),
  twice(end) { setTimeout(end, 1); setTimeout(end, 1); },
};

function killed(signal) {
  setTimeout(() => say('survived'), 60000);
  process.kill(process.pid, signal);
}

const endings = {
  returns() {},
  exits: () => process.exit(3),
  exitsWell: () => process.exit(),
  code() { process.exitCode = 5; },
  throws() { throw new Error('mine'); },
  throwsNothing() { throw undefined; },
  throwsFrozen() { throw Object.freeze({ toString: () => 'frozen' }); },
  rejects() { Promise.reject(new Error('mine')); },
  rejectsNothing() { Promise.reject(); },
  rejectsHandled() { const late = Promise.reject(new Error('mine')); late.catch(() => say('handled')); },
  emits: () => new EventEmitter().emit('error', new Error('mine')),
  terminated: () => killed('SIGTERM'),
  interrupted: () => killed('SIGINT'),
  hungUp: () => killed('SIGHUP'),
};

if (where) {
  neighbours[beside]();
  places[where](() => {
    say(what);
    endings[what]();
  });
} else {
  console.log(JSON.stringify([places, endings, neighbours].map(Object.keys)));
}
