// The interface by WebIDL, and the behaviour of the constructor.
const descriptor = (object, name) => {
  const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(object, name);
  return { ...flags, kind: get ? 'get' : typeof value, set: typeof set };
};
const hidden = { writable: true, enumerable: false, configurable: true };
const make = (sampleInterval = 10, maxBufferSize = 100) => new Profiler({ sampleInterval, maxBufferSize });
/** Gives what read finds in a profiler, and stops it. */
const look = (profiler, read) => {
  const found = read(profiler);
  profiler.stop();
  return found;
};
const interval = (asked) => look(make(asked), (p) => p.sampleInterval);

state('Profiler is a hidden, replaceable property of the global object', () => equal(descriptor(globalThis, 'Profiler'), { ...hidden, kind: 'function', set: 'undefined' }));
state('it inherits from EventTarget', () => {
  holds(Object.getPrototypeOf(Profiler) === EventTarget, 'the constructor does not');
  holds(Object.getPrototypeOf(Profiler.prototype) === EventTarget.prototype, 'the prototype does not');
});
state('name and length', () => equal([Profiler.name, Profiler.length], ['Profiler', 1]));
state('name, length and prototype are as functions have them', () => {
  for (const name of ['name', 'length']) equal(descriptor(Profiler, name), { writable: false, enumerable: false, configurable: true, kind: name === 'name' ? 'string' : 'number', set: 'undefined' });
  equal(descriptor(Profiler, 'prototype'), { writable: false, enumerable: false, configurable: false, kind: 'object', set: 'undefined' });
});
state('the prototype has its members and no others', () => equal(Reflect.ownKeys(Profiler.prototype).map(String).sort(), ['Symbol(Symbol.toStringTag)', 'constructor', 'sampleInterval', 'stop', 'stopped']));
state('the constructor has no others', () => equal(Reflect.ownKeys(Profiler).map(String).sort(), ['length', 'name', 'prototype']));
for (const name of ['sampleInterval', 'stopped']) {
  state(name + ' is an enumerable read-only accessor', () => {
    equal(descriptor(Profiler.prototype, name), { enumerable: true, configurable: true, kind: 'get', set: 'undefined' });
    equal(Object.getOwnPropertyDescriptor(Profiler.prototype, name).get.name, 'get ' + name);
    equal(Object.getOwnPropertyDescriptor(Profiler.prototype, name).get.length, 0);
  });
  state(name + ' throws a TypeError for what is no profiler', async () => {
    const { get } = Object.getOwnPropertyDescriptor(Profiler.prototype, name);
    for (const receiver of [{}, undefined, null, 5, Profiler.prototype, new EventTarget()]) await throws('TypeError', () => Reflect.apply(get, receiver, []));
  });
  state(name + ' cannot be assigned', () => {
    const p = make();
    const before = p[name];
    p[name] = 'other';
    equal(look(p, (p) => p[name]), before);
  });
}
state('stop is an enumerable operation', () => {
  equal(descriptor(Profiler.prototype, 'stop'), { writable: true, enumerable: true, configurable: true, kind: 'function', set: 'undefined' });
  equal([Profiler.prototype.stop.name, Profiler.prototype.stop.length], ['stop', 0]);
});
state('stop rejects, and does not throw, for what is no profiler', async () => {
  for (const receiver of [{}, undefined, 5, Profiler.prototype]) {
    const promise = Profiler.prototype.stop.call(receiver);
    holds(promise instanceof Promise, 'it gave ' + promise);
    await throws('TypeError', () => promise);
  }
});
state('Symbol.toStringTag', () => {
  equal(descriptor(Profiler.prototype, Symbol.toStringTag), { writable: false, enumerable: false, configurable: true, kind: 'string', set: 'undefined' });
  equal(look(make(), String), '[object Profiler]');
});
state('a profiler is one, and an EventTarget, with no properties of its own', () => {
  look(make(), (p) => {
    holds(p instanceof Profiler && p instanceof EventTarget && p.constructor === Profiler, 'it is none');
    equal(Reflect.ownKeys(p).length, 0);
  });
});
state('it cannot be called without new', () => throws('TypeError', () => Reflect.apply(Profiler, undefined, [plenty])));
state('it needs an argument', () => throws('TypeError', () => new Profiler()));
for (const options of [undefined, null, 5, 'options', {}, { sampleInterval: 10 }, { maxBufferSize: 10 }, { sampleInterval: undefined, maxBufferSize: 10 }, { sampleInterval: 10, maxBufferSize: undefined }]) {
  const text = typeof options === 'object' && options ? '{' + Object.keys(options).map((key) => key + ': ' + options[key]) + '}' : String(options);
  state('options that lack something are a TypeError: ' + text, () => throws('TypeError', () => new Profiler(options)));
}
for (const value of [NaN, Infinity, -Infinity, 'ten', {}, [1, 2], 10n, Symbol('ten'), () => 10]) {
  state('a sampleInterval that is no finite number is a TypeError: ' + String(value), () => throws('TypeError', () => make(value)));
}
for (const value of [10n, Symbol('ten')]) state('a maxBufferSize that is no number is a TypeError: ' + String(value), () => throws('TypeError', () => make(10, value)));
state('an error of a conversion passes through', () => throws('SyntaxError', () => make({ valueOf: () => JSON.parse('{') })));
state('options are read once, in the order of their names, and converted as they are read', () => {
  const log = [];
  const member = (name) => ({ get: () => (log.push(name), { valueOf: () => (log.push('value of ' + name), 10) }) });
  look(new Profiler(Object.defineProperties({}, { sampleInterval: member('sampleInterval'), maxBufferSize: member('maxBufferSize') })), () => {});
  equal(log, ['maxBufferSize', 'value of maxBufferSize', 'sampleInterval', 'value of sampleInterval']);
});
state('options may be inherited', () => equal(look(new Profiler(Object.create({ sampleInterval: 20, maxBufferSize: 1 })), (p) => p.sampleInterval), 20));
state('options may be a function', () => equal(look(new Profiler(Object.assign(() => {}, { sampleInterval: 20, maxBufferSize: 1 })), (p) => p.sampleInterval), 20));
state('numbers are converted', () => equal([interval('20'), interval(null), interval(true), interval([30]), interval({ valueOf: () => 40 })], [20, 10, 10, 30, 40]));
state('maxBufferSize wraps as an unsigned long does', async () => {
  const p = make(10, 2 ** 32 + 2);
  spin(150);
  equal((await p.stop()).samples.length, 2);
});
for (const value of [-1, -10, -1e300]) state('a sampleInterval of ' + value + ' is a RangeError', () => throws('RangeError', () => make(value)));
state('a sampleInterval of -0.0001 is a RangeError', () => throws('RangeError', () => make(-0.0001)));
state('-0 is 0', () => equal(interval(-0), 10));
for (const [asked, want] of [[0, 10], [1, 10], [10, 10], [11, 20], [19, 20], [20, 20], [100, 100], [1000001, 1000010]]) state(`a sampleInterval of ${asked} becomes ${want}`, () => equal(interval(asked), want));
for (const [asked, want] of [[0.5, 10], [10.5, 20], [20.0001, 30]]) state(`a sampleInterval of ${asked} is rounded up, to ${want}`, () => equal(interval(asked), want));
state('an error that a type shows comes before one that a range shows', () => throws('TypeError', () => make(-1, Symbol())));
state('stopped turns true at stop, at once', () => {
  const p = make();
  equal(p.stopped, false);
  p.stop();
  equal(p.stopped, true);
});
state('stop gives a promise of a trace', async () => {
  const promise = make().stop();
  holds(promise instanceof Promise, 'it gave ' + promise);
  const trace = await promise;
  for (const name of ['resources', 'frames', 'stacks', 'samples']) holds(Array.isArray(trace[name]), name + ' is no array');
});
state('stop rejects a second time, with an InvalidStateError', async () => {
  const p = make();
  p.stop();
  const second = p.stop();
  holds(second instanceof Promise, 'it gave ' + second);
  const error = await second.catch((error) => error);
  holds(error instanceof DOMException, 'it is no DOMException');
  equal([error.name, error.code], ['InvalidStateError', 11]);
});
state('the interval is still there afterwards', async () => {
  const p = make(20);
  await p.stop();
  equal([p.sampleInterval, p.stopped], [20, true]);
});
state('there is no event handler attribute', () => holds(!('onsamplebufferfull' in Profiler.prototype), 'there is one'));
state('a class may extend it', async () => {
  class Own extends Profiler {
    twice() {
      return 2 * this.sampleInterval;
    }
  }
  const p = new Own({ sampleInterval: 10, maxBufferSize: 10 });
  holds(p instanceof Own && p instanceof Profiler, 'an instance is none');
  equal(p.twice(), 20);
  await p.stop();
});
