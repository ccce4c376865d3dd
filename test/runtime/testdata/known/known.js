// Every kind of function that has a name of its own. Each works for a while.
function spin() {
  const end = performance.now() + 40;
  while (performance.now() < end);
}
class C {
  field = spin();
  static s = spin();
  static { for (const end = performance.now() + 40; performance.now() < end; ); }
  constructor() { for (const end = performance.now() + 40; performance.now() < end; ); }
  method() { for (const end = performance.now() + 40; performance.now() < end; ); }
  get size() { for (const end = performance.now() + 40; performance.now() < end; ); return 1; }
  set size(v) { for (const end = performance.now() + 40; performance.now() < end; ); }
  static stat() { for (const end = performance.now() + 40; performance.now() < end; ); }
  #priv() { for (const end = performance.now() + 40; performance.now() < end; ); }
  get #g() { for (const end = performance.now() + 40; performance.now() < end; ); return 1; }
  ['comp' + 'uted']() { for (const end = performance.now() + 40; performance.now() < end; ); }
  [Symbol.iterator]() { for (const end = performance.now() + 40; performance.now() < end; ); }
  'quoted name'() { for (const end = performance.now() + 40; performance.now() < end; ); }
  arrowField = () => { for (const end = performance.now() + 40; performance.now() < end; ); };
  async am() { for (const end = performance.now() + 40; performance.now() < end; ); }
  *gm() { for (const end = performance.now() + 40; performance.now() < end; ); yield 1; }
  async *agm() { for (const end = performance.now() + 40; performance.now() < end; ); yield 1; }
  all() { this.#priv(); return this.#g; }
}
class D extends C { own = spin(); }
const arrow = () => { for (const end = performance.now() + 40; performance.now() < end; ); };
const anon = function () { for (const end = performance.now() + 40; performance.now() < end; ); };
const named = function inner() { for (const end = performance.now() + 40; performance.now() < end; ); };
const o = {
  m() { for (const end = performance.now() + 40; performance.now() < end; ); },
  get g() { for (const end = performance.now() + 40; performance.now() < end; ); return 1; },
  p: function () { for (const end = performance.now() + 40; performance.now() < end; ); },
  q: () => { for (const end = performance.now() + 40; performance.now() < end; ); },
  async a() { for (const end = performance.now() + 40; performance.now() < end; ); },
  42() { for (const end = performance.now() + 40; performance.now() < end; ); },
};
o.later = function () { for (const end = performance.now() + 40; performance.now() < end; ); };
function* gen() { for (const end = performance.now() + 40; performance.now() < end; ); yield 1; }
async function af() {
  spin();
  await 1;
  for (const end = performance.now() + 40; performance.now() < end; );
}
function Old() { for (const end = performance.now() + 40; performance.now() < end; ); }
Old.prototype.pm = function () { for (const end = performance.now() + 40; performance.now() < end; ); };
async function everything() {
  const c = new C(); c.method(); c.size; c.size = 1; C.stat(); c.all(); c.computed(); c[Symbol.iterator](); c['quoted name'](); c.arrowField();
  await c.am(); [...c.gm()]; for await (const x of c.agm()); new D();
  arrow(); anon(); named(); o.m(); o.g; o.p(); o.q(); await o.a(); o[42](); o.later(); [...gen()]; await af(); new Old().pm();
  [1].map(() => { for (const end = performance.now() + 40; performance.now() < end; ); });
  (function () { for (const end = performance.now() + 40; performance.now() < end; ); })();
  eval('spin(); for (const end = performance.now() + 40; performance.now() < end; );');
  eval('(function ev() { for (const end = performance.now() + 40; performance.now() < end; ); })();\n//# sourceURL=evaluated.js');
  new Function('for (const end = performance.now() + 40; performance.now() < end; );')();
  await new Promise((done) => setTimeout(function () { for (const end = performance.now() + 40; performance.now() < end; ); done(); }));
  const module = await import('./known.mjs'); module.default(); module.exported();
}
for (const end = performance.now() + 60; performance.now() < end; );
