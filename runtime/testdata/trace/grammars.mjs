// Lines of stacks as engines write them, and their content.
import assert from 'node:assert/strict';
import { jsc } from '../../src/stacks/jsc';
import { spidermonkey } from '../../src/stacks/spidermonkey';
import { evalBase, v8 } from '../../src/stacks/v8';

const at = (url, line, column, name = '') => ({ url, line, column, name });
const app = 'https://example.com/app.js';

const cases = {
  v8: [
    [`f (${app}:1:2)`, at(app, 1, 2, 'f')],
    [`${app}:1:2`, at(app, 1, 2)],
    [`new Shape (${app}:1:2)`, at(app, 1, 2, 'Shape')],
    [`Object.method [as alias] (${app}:1:2)`, at(app, 1, 2, 'method')],
    [`Module.default (${app}:1:2)`, at(app, 1, 2, 'default')],
    [`get size [as size] (${app}:1:2)`, at(app, 1, 2, 'get size')],
    [`C.#p (${app}:1:2)`, at(app, 1, 2, '#p')],
    [`Object.<anonymous> (${app}:1:2)`, at(app, 1, 2)],
    [`<anonymous> (${app}:1:2)`, at(app, 1, 2)],
    [`Object.a@b (c) (${app}:1:2)`, at(app, 1, 2, 'a@b (c)')],
    [`größe (${app}:1:2)`, at(app, 1, 2, 'größe')],
    ['f (https://example.com:8080/a (1)/b@2.js:1:2)', at('https://example.com:8080/a (1)/b@2.js', 1, 2, 'f')],
    ['https://example.com/a (1)/b).js:1:2', at('https://example.com/a (1)/b).js', 1, 2)],
    ['f (http://[::1]:8080/app.js?v=1:2#x:3:4)', at('http://[::1]:8080/app.js?v=1:2', 3, 4, 'f')],
    ['f (http://[::1]:8080/app.js?v=1#top:3:4)', at('http://[::1]:8080/app.js?v=1', 3, 4, 'f')],
    ["data:text/javascript,say('a (x)@y'):1:2", at("data:text/javascript,say('a (x)@y')", 1, 2)],
    ['f (blob:https://example.com/1-2-3:1:2)', at('blob:https://example.com/1-2-3', 1, 2, 'f')],
    ['f (webpack://shop/./src/a.js?1f2e:1:2)', at('webpack://shop/./src/a.js?1f2e', 1, 2, 'f')],
    ['f (webpack-internal:///./src/a.js:1:2)', at('webpack-internal:///./src/a.js', 1, 2, 'f')],
    ['f (file:///C:/my%20site/a.js:1:2)', at('file:///C:/my%20site/a.js', 1, 2, 'f')],
    ['f (C:\\site\\a b.js:1:2)', at('C:\\site\\a b.js', 1, 2, 'f')],
    ['f (/home/me/a (copy).js:1:2)', at('/home/me/a (copy).js', 1, 2, 'f')],
    [`eval (eval at f (${app}:1:2), <anonymous>:3:4)`, at(`${app} > eval`, 3, 4)],
    [`g (eval at <anonymous> (eval at f (${app}:1:2)), <anonymous>:3:4)`, at(`${app} > eval`, 3, 4, 'g')],
    [`g (eval at h (eval at f (${app}:1:2), <anonymous>:5:6), <anonymous>:3:4)`, at(`${app} > eval`, 3, 4, 'g')],
    ['f (evaluated.js:1:2)', at('evaluated.js', 1, 2, 'f')],
    [`async f (${app}:1:2)`, 'async'],
    [`async ${app}:1:2`, 'async'],
    ['async Promise.all (index 0)', 'async'],
    ['Array.map (<anonymous>)', null],
    ['new Promise (<anonymous>)', null],
    ['<anonymous>', null],
    ['Array.forEach (native)', null],
    ['node:internal/main/run_main_module:28:49', null],
    ['listOnTimeout (node:internal/timers:581:17)', null],
    ['<anonymous>:1:1', null],
    ['g (wasm://wasm/3f3ee306:wasm-function[1]:0x27)', null],
    ['wasm://wasm/3f3ee306:wasm-function[1]:0x27', null],
    ['', null],
    [')', null],
  ],
  spidermonkey: [
    [`f@${app}:1:2`, at(app, 1, 2, 'f')],
    [`@${app}:1:2`, at(app, 1, 2)],
    [`run/<@${app}:1:2`, at(app, 1, 2, 'run/<')],
    [`get size@${app}:1:2`, at(app, 1, 2, 'get size')],
    [`a@b (c)@${app}:1:2`, at(app, 1, 2, 'a@b (c)')],
    ['f@https://me:secret@example.com/@scope/a.js:1:2', at('https://me:secret@example.com/@scope/a.js', 1, 2, 'f')],
    ['@https://example.com/index.html?q=1#top:9:9', at('https://example.com/index.html?q=1', 9, 9)],
    ["@data:text/javascript,say('data (x)@y'):1:4", at("data:text/javascript,say('data (x)@y')", 1, 4)],
    ['default@blob:https://example.com/1-2:1:25', at('blob:https://example.com/1-2', 1, 25, 'default')],
    ['f@http://[::1]:80/a.js:1:2', at('http://[::1]:80/a.js', 1, 2, 'f')],
    [`@${app} line 3 > eval:1:2`, at(`${app} > eval`, 1, 2)],
    [`ev@${app} line 14 > eval line 1 > eval:1:4`, at(`${app} > eval`, 1, 4, 'ev')],
    [`anonymous@${app} line 16 > Function:3:4`, at(`${app} > eval`, 3, 4, 'anonymous')],
    ['@https://example.com/i.html?q#h line 22 > injectedScript:2:4', at('https://example.com/i.html?q > eval', 2, 4)],
    ['@evaluated.js:1:4', at('evaluated.js', 1, 4)],
    [`async*f@${app}:1:2`, 'async'],
    [`promise callback*f@${app}:1:2`, 'async'],
    [`setTimeout handler*f@${app}:1:2`, 'async'],
    [`EventListener.handleEvent*@${app}:1:2`, 'async'],
    [`FrameRequestCallback*f@${app}:1:2`, 'async'],
    [`f@${app} line 23 > WebAssembly.instantiate:wasm-function[1]:0x27`, null],
    ['map@[native code]', null],
    ['forEach@self-hosted:164:17', null],
    ['f@resource://gre/modules/X.sys.mjs:1:2', null],
    ['f@', null],
  ],
  jsc: [
    [`f@${app}:1:2`, at(app, 1, 2, 'f')],
    [`@${app}:1:2`, at(app, 1, 2)],
    [`${app}:1:2`, at(app, 1, 2)],
    ['https://example.com/@scope/a.js:1:2', at('https://example.com/@scope/a.js', 1, 2)],
    [`global code@${app}:1:2`, at(app, 1, 2)],
    [`module code@${app}:1:2`, at(app, 1, 2)],
    [`#p@${app}:1:2`, at(app, 1, 2, '#p')],
    [`a@b (c)@${app}:1:2`, at(app, 1, 2, 'a@b (c)')],
    ["module code@data:text/javascript,say('data (x)@y'):1:4", at("data:text/javascript,say('data (x)@y')", 1, 4)],
    [`async f@${app}:1:2`, 'async'],
    ['map@[native code]', null],
    ['[native code]', null],
    ['eval code@', null],
    ['eval code@[native code]', null],
    ['ev@', null],
    ['1@<?>:wasm-function[1]', null],
    ['wasm-stub@[wasm code]', null],
  ],
};

const grammars = { v8, spidermonkey, jsc };
for (const [engine, lines] of Object.entries(cases)) {
  const indent = engine === 'v8' ? '    at ' : '';
  for (const [line, want] of lines) {
    assert.match('matched', /t(c)h/); // by the program, whose functions stacks are read in
    assert.deepEqual(grammars[engine].read(indent + line), want, `${engine}: ${line}`);
    assert.equal(RegExp['$`'] + RegExp.$1, 'mac', line);
  }
}

assert.equal(evalBase('eval at f (https://example.com/a (1).js:1:2)'), 'https://example.com/a (1).js');
assert.equal(evalBase('nothing of the kind'), '');

// A message may look like a stack.
const message = `no\n    at evil (${app}:9:9)`;
const error = new TypeError(message);
const stack = `TypeError: ${message}\n    at f (${app}:1:2)\n    at async g (${app}:3:4)`;
assert.deepEqual(v8.lines(stack, error), [`    at f (${app}:1:2)`, `    at async g (${app}:3:4)`]);

// Hostile lines are bounded.
const long = 'data:text/javascript,' + 'x'.repeat(1e6);
assert.ok(v8.read(`    at f (${long}:1:2)`).url.length < 3000);
for (const line of ['@'.repeat(1e5), ' ('.repeat(1e5) + ')', ':1'.repeat(1e5), 'async ', '(((((eval at (', 'eval at (' + 'eval at '.repeat(1e4) + ')']) {
  for (const grammar of Object.values(grammars)) grammar.read('    at ' + line), grammar.read(line);
}
