// A secret in every place where a page may have one: no trace, recording or result
// holds it, and no request for a function table.
import assert from 'node:assert/strict';

const secret = 'cAnArY';
const page = `https://${secret}:${secret}@a.example/page?token=${secret}#${secret}`;
const define = (values) => {
  for (const [name, value] of Object.entries(values)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
};
const requests = [];
const table = {
  version: 1,
  file: 'app.js',
  strings: ['', 'work'],
  functions: [0, 1, 1, 9, 1, 0, 0, 1, 0, 3, 1 + 16 * 7, 0, 0, 2, 2, 0, 13, 1, 1, 1], // work 1:1 to 3:2
};
define({
  location: new URL(page),
  origin: 'https://a.example',
  fetch: async (url, init) => {
    requests.push(JSON.stringify([url, init]));
    const { pathname } = new URL(url);
    if (pathname === '/app.js.functions.json') return new Response(JSON.stringify(table));
    if (pathname === '/login.js.functions.json') return new Response(`${secret}: log in first`);
    if (pathname === '/throws.js.functions.json') throw Object.assign(new Error(`${secret} at ${page}`), { name: secret, code: `E${secret.toUpperCase()}` });
    if (pathname === '/type.js.functions.json') throw new TypeError(`${page} includes credentials`);
    return new Response('', { status: 404 });
  },
});
const { cleanText, cleanURL, errorName } = await import('../../src/trace/clean');
const { Stacks } = await import('../../src/mozilla/calls');
const { cpuprofile } = await import('../../src/trace/cpuprofile');
const { readings } = await import('../../src/stacks/format');
const { Functions } = await import('../../src/trace/functions');
const { Origins } = await import('../../src/trace/origins');
const { raw } = await import('../../src/trace/raw');
const { samplesOf } = await import('../../src/trace/columns');
const { traceOf } = await import('../../src/trace/standard');
const { recordingOf, stackOf, tables } = await import('./lib/recordings.mjs');

/** URLs of scripts, and the parts that may be told. */
const scripts = {
  [page]: 'https://a.example/page',
  [`https://a.example/page?token=${secret}`]: 'https://a.example/page',
  [`https://a.example/app.js?key=${secret}#${secret}`]: 'https://a.example/app.js',
  [`https://a.example/login.js?${secret}`]: 'https://a.example/login.js',
  [`https://a.example/throws.js?${secret}`]: 'https://a.example/throws.js',
  [`https://u:${secret}@a.example/type.js`]: 'https://a.example/type.js',
  [`https://${secret}@cdn.example/lib@1.2/x.js?a=b`]: 'https://cdn.example/lib@1.2/x.js',
  [`https:\\\\u:${secret}@a.example\\x.js`]: 'https:\\\\a.example\\x.js',
  [`//u:${secret}@a.example/x.js`]: '//a.example/x.js',
  [`/relative.js?${secret}`]: '/relative.js',
  [`blob:https://a.example/${secret}`]: 'blob:https://a.example',
  [`blob:null/${secret}`]: 'blob:',
  [`data:text/javascript;charset=utf-8,let%20a="${secret}"`]: 'data:text/javascript',
  [`data:text/javascript,${secret}`]: 'data:text/javascript',
  [`data:${secret},x`]: 'data:',
  [`javascript:${secret}`]: 'javascript:',
  [`about:srcdoc?${secret}`]: 'about:srcdoc',
  [`webpack-internal:///./node_modules/@scope/a.js?${secret}`]: 'webpack-internal:///./node_modules/@scope/a.js',
  [`https://a.example/x.js?${secret} > eval`]: 'https://a.example/x.js > eval',
  [`https://u:${secret.repeat(400)}…`]: 'https://',
};
for (const [url, cleaned] of Object.entries(scripts)) {
  assert.equal(cleanURL(url), cleaned);
  assert.equal(cleanURL(cleaned), cleaned, 'twice');
  assert.ok(!cleanText(`f ${url} g`).includes(secret) || url.endsWith('…') || url.startsWith(`data:${secret}`), cleanText(`f ${url} g`));
  assert.ok(!cleanText(`(${url})`).includes(secret) || url.endsWith('…') || url.startsWith(`data:${secret}`), cleanText(`(${url})`));
}
for (const same of ['', 'f', 'get a', '#private', 'Foo.#private', 'static #a', 'a::b', 'Map.@@iterator', '<anonymous>', 'a?b:c', 'https://a.example/lib@1.2/x.js', 'f @ https://a.example/x.js:1:2', 'metadata: none', 'samples: none are taken while the page is hidden']) {
  assert.equal(cleanText(same), same);
}
assert.equal(cleanText('/v?/x.html', true), '/v?/x.html', 'a glob');
for (const hostile of [null, undefined, { get name() { throw new Error() } }, { name: secret, message: secret }, new Error(secret), secret]) assert.ok(!errorName(hostile).includes(secret));
// None of these takes time that grows with the square of its length.
for (const long of ['a'.repeat(1e6), 'data:'.repeat(2e5), 'https://'.repeat(1e5), '//@'.repeat(3e5), ' /'.repeat(5e5), '?a'.repeat(5e5), '/?'.repeat(5e5)]) cleanText(long);

// --- traces ------------------------------------------------------------------

const names = ['f', `https://u:${secret}@a.example/?a=${secret} ${secret}`, `/cart?token=${secret}`, `on #id=${secret}`, `data:text/html,${secret} ${secret}`, `obj["/x?${secret}"]`];
const stacks = [];
for (const url of Object.keys(scripts)) {
  for (const [i, name] of names.entries()) stacks.push(tables.stack([tables.frame({ url, line: i + 2, column: 3, name }), tables.frame({ url, line: 1, column: 1, name: 'outer' })]));
}

/** Errors as the engines write them. */
const written = {
  v8: (url, name) => Object.assign(new Error(), { stack: `Error\n    at ${name} (${url}:7:3)\n    at ${url}:9:1` }),
  spidermonkey: (url, name) => Object.assign(new Error(), { lineNumber: 1, stack: `${name}@${url}:7:3\n@${url} line 9 > eval:1:1` }),
  jsc: (url, name) => Object.assign(new Error(), { stack: `${name}@${url}:7:3\nglobal code@${url}:9:1` }),
};
const notes = new Set([`${page}: of old`, `the worker at blob:https://a.example/${secret} failed`, `TypeError: ${page}`]);

async function each(recording) {
  const told = await traceOf(recording);
  const all = [told, await traceOf(recording, true), raw(recording), await cpuprofile(recording)];
  const functions = new Functions(new Map(), new Origins(), readings.isJSC);
  const mozilla = new Stacks(functions);
  for (const stack of samplesOf(recording).stacks) mozilla.of(stack);
  all.push(mozilla.calls);
  for (const [i, one] of all.entries()) assert.ok(!JSON.stringify(one).includes(secret), `${i}: ${JSON.stringify(one).match(new RegExp(`.{0,80}${secret}.{0,40}`))}`);
  return told;
}
const told = await each(recordingOf(stacks.flatMap((stack, i) => [[i, stack, i % 3], [i, stack, 3]]), { notes }));
assert.ok(told.resources.includes('https://a.example/app.js') && told.resources.includes('https://a.example/page'), told.resources.join());
assert.equal(new Set(told.resources).size, told.resources.length, 'each is there once');
assert.ok(told.fieldprof.lost.some((text) => text.startsWith('https://a.example/login.js: no function table (SyntaxError)')), told.fieldprof.lost.join('\n'));
assert.ok(told.fieldprof.lost.some((text) => text.startsWith('https://a.example/type.js: no function table (TypeError)')));
const broken = await traceOf(recordingOf([], { notes, each() { throw new Error(`${secret} ${page}`) } }));
assert.ok(!JSON.stringify(broken).includes(secret), broken.fieldprof.lost.join('\n'));
for (const write of Object.values(written)) {
  const captures = Object.keys(scripts).flatMap((url) => names.map((name) => ({ error: write(url, name), hidden: 0, stack: null })));
  await each(recordingOf([], { notes, each: (visit) => captures.forEach((capture, i) => visit(i, capture, 1, 1, 0)) }));
  readings.isJSC = false;
}
assert.ok(requests.length > 5);
for (const request of requests) {
  assert.ok(!request.includes(secret), request);
  assert.ok(request.includes('"referrerPolicy":"strict-origin"'), 'the referrer has the query of the page');
}

// Two versions of a script, apart in their query alone: inside they stay apart
// (the table fits one of them), the URL that is told is one.
const versions = await traceOf(
  recordingOf([
    [1, stackOf('x@https://a.example/app.js?v=1:2:3'), 1],
    [2, stackOf('y@https://a.example/app.js?v=2:50:3'), 1],
  ]),
);
assert.deepEqual(versions.resources, ['https://a.example/app.js']);
assert.deepEqual(versions.frames, [
  { column: 14, line: 1, name: 'work', resourceId: 0 },
  { column: 3, line: 50, name: 'y', resourceId: 0 },
]);
assert.ok(versions.fieldprof.lost.includes("https://a.example/app.js: the function table does not match the script: its functions have the engine's names"));
