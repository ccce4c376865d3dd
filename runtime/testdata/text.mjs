// Function.prototype.toString gives the source's text, and looks as the engine's.
import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { realm } from './realm.mjs';

/** Shows a function whose text is this: another wrapped the method before. */
function shower(prepare = '') {
  const page = realm(`var given = ''; Function.prototype.toString = () => given; ${prepare}`);
  page.require();
  return page.run('text => { given = text; return Object.toString() }');
}

const shows = shower();

// Inserted text and the source, by rows of transform/dialect.go. Written with F C R E
// L X for the names and K for a check of the inline form.
const inline = [
  ['function f(a){var R=K;return R=(g(a)),K,R}', 'function f(a){return g(a)}'],
  ['function f(a){"use strict"/*F+0*/;var R=K;return R=(g(a)),K,R;}', 'function f(a){"use strict"return g(a);}'],
  ['function f(a){"use strict";var R=K;g(a);;K}', 'function f(a){"use strict";g(a);}'],
  ['function f(a){var R;K;}', 'function f(a){}'],
  ['function f(a){K;throw a}', 'function f(a){throw a}'],
  ['function f(a){"x"\n/*F+0*/;K;throw a}', 'function f(a){"x"\nthrow a}'],
  ['function f(a){"x";K;;throw a;K}', 'function f(a){"x";;throw a}'],
  ['function f(a){var R=K;return R=(R,function(){}),K,R}', 'function f(a){return function(){}}'],
  ['function f(a){var R=K;return R=([a]),K,R}', 'function f(a){return[a]}'],
  ['function f(a){var R=K;return (R=([a]),K,R)}', 'function f(a){return [a]}'],
  ['function f(a){var R=K;return (R=(\\u0061),K,R);return/**/R=([a]),K,R}', 'function f(a){return \\u0061;return/**/[a]}'],
  ['function f(a){var R=K;return R=((a)),K,R;}', 'function f(a){return(a);}'],
  ['function f(a){var R=K;return R=(")"+a(")}{")),K,R;}', 'function f(a){return")"+a(")}{");}'],
  ['function f(a){var R=K;return K,a;return K,function(){}}', 'function f(a){return a;return function(){}}'],
  ['function f(a){var R=K;return K,!0;return (K,!1);return K,"b"}', 'function f(a){return!0;return !1;return"b"}'],
  ['function f(a){var R=K;if(a)return void(K);if(b)return K,void 0\n;K}', 'function f(a){if(a)return;if(b)return void 0\n}'],
  ['function f(a){var R=K;if(a)return void(K)/*F+0*/;\n(b)()\n;K}', 'function f(a){if(a)return\n(b)()\n}'],
  ['async(a)=>{var R=K;await (R=(g(a)),K,R);f(await (K,a));return R=(await(R=([a]),K,R)),K,R}', 'async(a)=>{await g(a);f(await a);return await[a]}'],
  ['async(a)=>{var R=K;await (K,/*F+1*/"a)");await (K,/*F+1*/")");await (K,\'(b\'/*F-1*/);await (K,!0);await (K,void 0);await (K,-1);;K}', 'async(a)=>{await "a)";await ")";await \'(b\';await !0;await void 0;await -1;}'],
  ['function*(){var R=K;yield void(K);[yield void(K),yield (R=(g()),K,R)];yield*b;;K}', 'function*(){yield;[yield,yield g()];yield*b;}'],
  ['async function*(){var R=K;if(a){/*F+0*/;K;return};K}', 'async function*(){if(a){return}}'],
  ['function(){for(;;){K;a()}while(b){;K;f(a)}do {;K;c;}while(d)}', 'function(){for(;;){a()}while(b)f(a)do c;while(d)}'],
  ['function(){while(a){;K;return(b)}while(c){;K;;}while(d){K;;e}}', 'function(){while(a)return(b)while(c);while(d){;e}}'],
  ['function(){while(a){;K;return R=(b),K,R}}', 'function(){while(a)return b}'],
  ['function(){while(a){;K;f("}{{")/*F-1*/}}', 'function(){while(a)f("}{{")}'],
  ['a=>{;var R=K;return R=(g(a)),K,R}', 'a=>g(a)'],
  ['a=>{;var R=K;return K,a}', 'a=>a'],
  ['a=>{;var R=K;return K,/*F+2*/")}("/*F-1*/}', 'a=>")}("'],
  ['a=>{;var R=K;return K,b=>{;var R=K;return R=("("+b/*F-1*/),K,R}/*F-1*/}', 'a=>b=>"("+b'],
  ['a=>{;var R=K;return K,/*F+1*/b=>{;var R=K;return R=(/*F+1*/")"+b),K,R}}', 'a=>b=>")"+b'],
  ['function f(a){var R=K;return (R=(/*F+1*/[function(){var R=K;return (R=(/*F+1*/"a)"+a),K,R)}]),K,R)}', 'function f(a){return [function(){return "a)"+a}]}'],
  ['async a=>{;var R=K;return R=(await (R=(g(await (R=(h("(")/*F-1*/),K,R))/*F-1*/),K,R)/*F-1*/),K,R}', 'async a=>await g(await h("("))'],
  ['a=>{;var R;return R=(b=>{;var R;return K,void 0}),K,R}', 'a=>b=>void 0'],
  ['(a=>{;;K;return f((b=>{;;K;return (c)}))})', '(a=>f((b=>(c))))'],
  ['class A{static #a=1;get b(){var R=K;return R=(this.#a),K,R}async*[c](){var R=K;for(let x of y){;K;yield (R=(x()),K,R);};K}}', 'class A{static #a=1;get b(){return this.#a}async*[c](){for(let x of y)yield x();}}'],
  ['function f(){var R=K;return (R=("${a}"+`${b=>{;var R=K;return R=(c()),K,R}}`),K,R) // é\u2028}', 'function f(){return "${a}"+`${b=>c()}` // é\u2028}'],
];
// Names become vertical tabs in between; this source has one of its own.
inline.push(['function f(){var R=K;return (R=("\v"+g()),K,R)}', 'function f(){return "\v"+g()}']);
const compact = [
  ['function f(a){E();return X(g(a))}', 'function f(a){return g(a)}'],
  ['function f(a){"use strict"/*X+0*/;E();return X([a])}', 'function f(a){"use strict"return[a]}'],
  ['function f(a){E();return (X([a]))}', 'function f(a){return [a]}'],
  ['function f(a){E();return (X(/*X+1*/a+")("/*X-1*/))}', 'function f(a){return a+")("}'],
  ['function f(a){E();return X(/*X+1*/")("/*X-1*/)}', 'function f(a){return")("}'],
  ['function f(a){E();if(a)return X();a();X()}', 'function f(a){if(a)return;a()}'],
  ['function f(a){E();if(a)return X()/*X+0*/;\n(b)();X()}', 'function f(a){if(a)return\n(b)()}'],
  ['function f(a){E();throw a}', 'function f(a){throw a}'],
  ['function f(a){E();return A,X(a);X()}', 'function f(a){return A,a}'],
  ['async function*f(a){E();[yield void(X()),await X(a),await X([a]),await (X([a]))];/*X+0*/;X();return}', 'async function*f(a){[yield,await a,await[a],await [a]];return}'],
  ['function f(){E();for(;;){L();a()}while(b){;L();c(d)};X()}', 'function f(){for(;;){a()}while(b)c(d)}'],
  ['function f(){E();while(b){;L();return X(d)};X()}', 'function f(){while(b)return d}'],
  ['a=>{;;E();return X(g(a))}', 'a=>g(a)'],
  ['a=>{;;E();return X(b=>{;;0;return X(c)})}', 'a=>b=>c'],
  ['a=>{;;E();return X(b=>{;;E();return X("("+b/*X-1*/)/*X-1*/}/*X-1*/)/*X-1*/}', 'a=>b=>"("+b'],
  ['function f(a){E();return (X(/*X+1*/[b=>{;;E();return X(/*X+2*/"))("/*X-1*/)/*X+1*/}])/*X+1*/)}', 'function f(a){return [b=>"))("]}'],
  ['a=>{;;E();return f(b=>{;;E();return (c)})}', 'a=>f(b=>(c))'],
];

const written = (row, prefix, called, suffix) => row
  .replace(/K/g, '(F[1]=F[0])&&F.c.c(2)')
  .replace(/\b[FCR]\b/g, (letter) => prefix + letter.toLowerCase() + suffix)
  .replace(/\b[ELX]\b/g, (letter) => called + letter.toLowerCase() + suffix);

// Suffixes that Choose gives; those of counting builds, which are inline, have the unit's hash too.
const suffixes = ['', '1', '27', '_fieldprof', '_fieldprof3'];
const counting = ['_0a1b2c3d', '3_0a1b2c3d', '_fieldprof_0a1b2c3d'];

for (const [text, source] of [...inline, ...compact]) {
  for (const [prefix, called] of [['$', '$_'], ['_$', '_$']]) {
    for (const suffix of compact.some((row) => row[0] === text) ? suffixes : [...suffixes, ...counting]) {
      const given = written(text, prefix, called, suffix);
      assert.doesNotMatch(given, /\b[FCRELXK]\b/, given);
      assert.equal(shows(given), source, given);
      // Among names that look similar.
      const around = (inner) => `function $f9(){$e5();$_f5();a$f;b$fa;$c${suffix}0;$x5(a,$x5);var $r9=(a);_$f_[1]=0;$f7(a);$_c${suffix}=$e${suffix};${inner}}`;
      assert.equal(shows(around(given)), around(source), given);
      // Its own name looks similar, before the first check.
      const named = (inner) => `function _$each(){$_load();${inner}}`;
      assert.equal(shows(named(given)), named(source), given);
    }
  }
}

// Foreign text stays: it has none of our checks, or uses their names in a way that
// we never write.
for (const foreign of [
  '', 'function f(){}', 'function f(){$e();return $x(a)}', 'function f(){$f[0]=$c(1)}', 'function a(){;$f[1]=$f[0];}',
  'function f(){($f[1]=$f[0])&&$c(d)}', 'function f(){var $r=($f[1]=$f[0])&&$f.c.c(0);return $r}',
  'function f(){$_e(1)}', 'function f(){$_e();$_e=1}', 'function f(){$_l(a)}', 'function f(){$_e.$_e()}',
  'function f(){var $r=($f[1]=$f[0])&&$f.c.c(0);"\vx"}', 'var _$f', '$f[1]=$f[', '$_e()',
  'async()=>{await $_load();return 1}', '()=>{return $_load()}', 'function(){return _$listen()}', '()=>$_xhr()', '()=>{$_e_fieldx();$_lfieldprof()}',
]) assert.equal(shows(foreign), foreign);

// Texts of a million characters, made so that patterns would look at them again and
// again; and a large one of ours. A pattern that backtracks takes hours.
const check = '($f[1]=$f[0])&&$f.c.c(0)';
const many = (text) => text.repeat(1e6 / text.length);
for (const text of ['$f1', '_$f', '_$', '$f$f', '$_e($_e', '$_x(', '$_x(/*$_x+1*/', '){', 'var $r', 'var{a:$f', 'var $r=', '{;;', '(', ';;', '$', '1', `(${check},`, `(${check},"`, `(${check},'a`, `return${check},void `, `{;var $r`, `;${check}`, '{;return ', '$f[1]=', '/*$f*/', 'a b', ' ']) {
  for (const before of ['', `function f(){var $r=${check};`]) {
    const given = before + many(text);
    assert.equal(typeof shows(given), 'string');
  }
}
// Names with suffixes that are as long.
for (const text of [`function f(){$f${many('a')}[1]=$f`, `function f(){$_e${many('1')}(`]) assert.equal(shows(text), text);
assert.equal(shows(many(`function f(a){var $r=${check};return $r=(g(a)),${check},$r}`)).includes('$'), false);

// It is the engine's for all one can see.
const look = `(() => {
  const { toString } = Function.prototype;
  const descriptor = Object.getOwnPropertyDescriptor(Function.prototype, 'toString');
  const caught = (run) => { try { return run() } catch (error) { return [error.constructor === TypeError, error.message] } };
  delete descriptor.value;
  class A { static s() { return 1 } get g() { return 2 } async *m() {} [Symbol.iterator]() {} #p() {} }
  return JSON.stringify([
    toString.name, toString.length, 'prototype' in toString, Reflect.ownKeys(toString), descriptor, Object.isExtensible(toString),
    [() => new toString(), () => Reflect.construct(Object, [], toString), () => { class B extends toString {} }].map((run) => caught(run)[0]),
    toString.toString(), toString.call(toString), toString + '', \`\${toString}\`, String(toString), Function.prototype.toString.call(toString.bind(1)), Function.prototype + '',
    [undefined, null, 1, 'a', {}, [], Symbol(), Object.create(Function.prototype), document = { toString }].map((value) => caught(() => toString.call(value))), caught(() => document.toString()), caught(() => (0, toString)()),
    [A, A.s, A.prototype.m, A.prototype[Symbol.iterator], Object.getOwnPropertyDescriptor(A.prototype, 'g').get, () => 1, async (a) => a, function* () {}, Math.max, A.bind(1), new Proxy(A, {}), new Proxy(() => {}, {}), new Function('a', 'return a'), eval, Map].map((f) => [f + '', \`\${f}\`, String(f), toString.call(f)].concat(Object.hasOwn(f, 'toString') ? [] : f.toString())),
    Object.getOwnPropertyNames(Function.prototype), toString instanceof Function, Object.getPrototypeOf(toString) === Function.prototype, typeof toString, caught(() => toString.caller), caught(() => toString.arguments),
  ]);
})()`;
const native = realm('var document').run(look);
{
  const page = realm('var document');
  page.load();
  assert.equal(page.run(look), native);
  const first = page.run('Function.prototype.toString');
  page.load();
  page.require();
  assert.equal(page.run('Function.prototype.toString'), first, 'copies of the runtime wrap once');
}

const source = '"function (a) {return g(a)}"';
const shown = `var $f = [0, 0], $c; JSON.stringify(String(${`(function (a) {var $r=${check};return $r=(g(a)),${check},$r})`}))`;

// Others wrap it before and after; both see what they should.
{
  const page = realm('var before = Function.prototype.toString, seen = []; Function.prototype.toString = function () { seen.push(typeof this); return before.apply(this, arguments) }');
  page.load();
  assert.equal(page.run(shown), source);
  assert.equal(page.run('seen.join()'), 'function');
  page.run('var ours = Function.prototype.toString; Function.prototype.toString = function () { return "/**/" + ours.apply(this, arguments) }');
  assert.equal(page.run(shown), source.replace('"', '"/**/'));
}
// A page that replaces what it uses, or looks at functions while it works.
for (const prepare of [
  'RegExp.prototype.exec = () => { throw new Error("mine") }', 'String.prototype.replace = null', 'RegExp = null', 'RegExp.prototype[Symbol.replace] = () => { throw 1 }',
  'Reflect = null', 'Function.prototype.call = Function.prototype.apply = null', 'delete Function.prototype.toString.name',
  'var replace = String.prototype.replace; String.prototype.replace = function (...a) { String(String.prototype.replace); return Reflect.apply(replace, this, a) }',
]) {
  const page = realm();
  page.load();
  page.run(prepare);
  assert.ok([source, JSON.stringify(`function (a) {var $r=${check};return $r=(g(a)),${check},$r}`)].includes(page.run(shown)), prepare);
}
// Where it cannot be replaced it is left alone.
for (const prepare of ['Object.freeze(Function.prototype)', 'Object.defineProperty(Function.prototype, "toString", { writable: false, configurable: false })']) {
  const page = realm(`var before = Function.prototype.toString; ${prepare}`);
  page.load();
  assert.equal(page.run('Function.prototype.toString === before && __fieldprof.version'), 1, prepare);
}
// A worker of Node has it with the checks.
const [message] = await once(new Worker(`
  require(${JSON.stringify(new URL('../dist/checks.cjs', import.meta.url).pathname)});
  require('node:worker_threads').parentPort.postMessage(require('node:vm').runInThisContext(${JSON.stringify(shown)}));`, { eval: true }), 'message');
assert.equal(message, source);
