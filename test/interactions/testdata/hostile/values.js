// Values that a hostile page or browser may give in place of a number, a text or an element.

const thrower = () => {
  throw new TypeError('a value of a hostile page was used');
};

/** A value that takes long to make is made once. */
function once(make) {
  let made;
  return () => (made ??= make());
}

const numbers = [
  () => NaN,
  () => -1,
  () => -Infinity,
  () => Infinity,
  () => 1e300,
  () => 2 ** 53,
  () => -0,
  () => undefined,
  () => null,
  () => '12',
  () => 'soon',
  () => ({}),
  () => ({ valueOf: thrower, toString: thrower, [Symbol.toPrimitive]: thrower }),
  () => Symbol('time'),
  () => 10n,
  () => real.now() - 250,
  () => real.now(),
  () => 300,
];

const texts = [
  () => 'click',
  () => '',
  () => '<img src=x onerror="say(\'markup ran\')">',
  () => 'a\r\nb\u2028c\u0000d',
  () => '\u202etxt.exe',
  () => '\ud800',
  () => 'x'.repeat(100_000),
  () => '__proto__',
  () => 'constructor',
  () => '%s %o ${name} {{name}}',
  () => undefined,
  () => null,
  () => 7,
  () => ({ toString: thrower }),
  () => Symbol('name'),
];

function element(name = 'button', id = 'save') {
  const made = document.createElement(name);
  made.id = id;
  (document.body || document.documentElement)?.append(made);
  return made;
}

/** The form whose properties are its inputs. */
function clobbered() {
  const form = element('form', 'form');
  for (const name of ['id', 'localName', 'tagName', 'nodeName', 'parentElement', 'parentNode', 'getAttribute', 'className', 'classList', 'getRootNode', 'closest', 'ownerDocument', 'matches', 'isConnected', 'nodeType']) {
    form.append(Object.assign(document.createElement('input'), { name }));
  }
  return form;
}

function inShadow(mode) {
  const host = element('div', 'host');
  const inner = document.createElement('span');
  inner.id = 'inner';
  host.attachShadow({ mode }).append(inner);
  return inner;
}

const targets = [
  () => element(),
  () => null,
  () => undefined,
  () => element('button', '"><script>say("markup ran")</script>'),
  () => element('button', 'x'.repeat(100_000)),
  () => element('button', 'line\nbreak \u202e \u0000'),
  () => document.body.appendChild(document.createElementNS('urn:x', `a:${'b'.repeat(5000)}`)),
  () => Object.assign(element('p'), { className: 'c '.repeat(10_000) }),
  () => {
    const gone = element();
    gone.remove();
    return gone;
  },
  () => clobbered(),
  () => inShadow('open'),
  () => inShadow('closed'),
  () => document.createTextNode('text'),
  () => document,
  () => window,
  () => {
    const frame = element('iframe');
    return frame.contentDocument?.body;
  },
  () => new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower }),
  () => ({ localName: { toString: thrower }, id: 5n, get parentElement() { return this; } }),
  once(() => {
    let deep = element('div', '');
    for (let i = 0; i < 3000; i++) deep = deep.appendChild(document.createElement('i'));
    return deep;
  }),
];

const entryTypes = ['event', 'first-input', 'long-animation-frame', 'longtask', 'mark', 'measure', 'navigation', 'soft-navigation', 'resource', 'unheard-of'];

const crowd = once(() => new Array(20_000).fill({ sourceURL: 'crowd.js', invoker: 'crowd', startTime: 1, duration: 10 }));

/** An entry that no browser makes. */
function hostileEntry(chance, type) {
  const one = (list) => list[Math.floor(chance() * list.length)]();
  const fields = {
    entryType: chance() < 0.8 ? type : one(texts),
    name: one(texts),
    target: one(targets),
    detail: one(texts),
    navigationId: one(numbers),
    attribution: chance() < 0.5 ? one(numbers) : [{ name: one(texts), containerSrc: one(texts) }],
  };
  for (const name of ['startTime', 'duration', 'processingStart', 'processingEnd', 'interactionId', 'renderStart', 'styleAndLayoutStart', 'blockingDuration', 'firstUIEventTimestamp', 'loadEventEnd', 'domComplete']) fields[name] = chance() < 0.5 ? real.now() - chance() * 400 : one(numbers);
  const script = () => ({ sourceURL: one(texts), sourceFunctionName: one(texts), sourceCharPosition: one(numbers), startTime: one(numbers), duration: one(numbers), invoker: one(texts), invokerType: one(texts), forcedStyleAndLayoutDuration: one(numbers), executionStart: one(numbers), window: null });
  fields.scripts = chance() < 0.6 ? Array.from({ length: Math.floor(chance() * 5) }, script) : one([...numbers, () => ({ length: 1e9 }), crowd]);
  if (chance() < 0.2) Object.defineProperty(fields, choose(Object.keys(fields), 3), { get: thrower });
  if (chance() < 0.1) return one([() => null, () => undefined, () => 'entry', () => new Proxy({}, { get: thrower })]);
  return fields;
}
