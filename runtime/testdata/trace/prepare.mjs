// Whatever the page does to Error.prepareStackTrace, it is never called for our
// errors, never lost, and stacks are read where that is possible.
import assert from 'node:assert/strict';
import vm from 'node:vm';
import { format, readings } from '../../src/stacks/format';

const { Error: own } = globalThis;
const capture = (prepare) => {
  const made = { error: new own(), hidden: 0, stack: null };
  prepare?.();
  return made;
};
const describe = () => Object.getOwnPropertyDescriptor(own, 'prepareStackTrace');
let called = 0;
const page = (error) => (called++, `page's ${error.message}`);

function check(label, { before, after, clean }) {
  before?.();
  const made = capture(after);
  const was = describe();
  format([made], true);
  assert.deepEqual(describe(), was, `${label}: the hook is not as it was`);
  assert.equal(called, 0, `${label}: the page's hook was called`);
  assert.equal(made.error, null);
  assert.equal(made.stack?.frame.name, 'capture', label);
  clean?.();
}

const remove = () => delete own.prepareStackTrace;
check('nothing there', {});
check('a function before', { before: () => (own.prepareStackTrace = page), clean: remove });
check('a function after', { after: () => (own.prepareStackTrace = page), clean: remove });
check('no function', { before: () => (own.prepareStackTrace = 7), clean: remove });
check('read-only', { before: () => Object.defineProperty(own, 'prepareStackTrace', { value: page, configurable: true, enumerable: true }), clean: remove });
check('an accessor', {
  before: () => Object.defineProperty(own, 'prepareStackTrace', { get: () => (called++, page), set: () => { called++; }, configurable: true }),
  clean: remove,
});
check('on Function.prototype', { before: () => (Function.prototype.prepareStackTrace = page), clean: () => delete Function.prototype.prepareStackTrace });
check('on Object.prototype', { before: () => (Object.prototype.prepareStackTrace = page), clean: () => delete Object.prototype.prepareStackTrace });

// The page's Error is another.
class Mine extends own {}
Mine.prepareStackTrace = page;
check('replaced', { before: () => (globalThis.Error = Mine), clean: () => (globalThis.Error = own) });
check('deleted', { before: () => delete globalThis.Error, clean: () => (globalThis.Error = own) });
check('no constructor', { before: () => (globalThis.Error = 7), clean: () => (globalThis.Error = own) });
const refusing = new Proxy(own, { defineProperty: () => false, deleteProperty: () => false });
globalThis.Error = refusing;
const behind = capture();
format([behind], true);
globalThis.Error = own;
assert.equal(called, 0);

// The page's own errors still reach its hook.
own.prepareStackTrace = page;
assert.equal(new own('error').stack, "page's error");
assert.equal(called, 1);
called = 0;
remove();

// A sealed Error cannot take a hook, nor have one; its stacks are read as text.
const run = (prepare) => {
  const realm = vm.createContext({ console });
  const test = vm.runInContext(`(${function (format, prepare) {
    let called = 0;
    prepare(Error, () => (called++, 'text'));
    const made = { error: (function inside() { return new Error(); })(), hidden: 0, stack: null };
    const was = JSON.stringify(Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace'));
    format([made], true);
    return [called, made, was === JSON.stringify(Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace'))];
  }})`, realm);
  return test(format, prepare);
};
for (const [label, prepare] of Object.entries({
  frozen: (E) => Object.freeze(E),
  sealed: (E) => Object.seal(E),
  'sealed with a hook': (E, hook) => ((E.prepareStackTrace = hook), Object.seal(E)),
})) {
  const [called, made, same] = run(prepare);
  assert.equal(called, 0, `${label}: the page's hook was called`);
  assert.ok(same, label);
  assert.equal(made.stack?.frame.name, 'inside', label);
}
const before = readings.refused;
const [calls, made] = run((E, hook) => ((E.prepareStackTrace = hook), Object.freeze(E)));
assert.equal(calls, 0, 'a frozen hook was called');
assert.equal(made.stack, null);
assert.equal(readings.refused, before + 1);
