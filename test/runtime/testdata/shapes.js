// Keeps an Error in every place that a stack can be written for.
const kept = {};
const keep = (label) => {
  kept[label] = { error: new Error(), hidden: 1, stack: null };
};
class C {
  static s() { keep('static'); }
  get g() { keep('getter'); return 1; }
  #p() { keep('private'); }
  all() { this.#p(); }
  ['x' + 'y']() { keep('computed'); }
  constructor() { keep('constructor'); }
}
function f() { keep('function'); }
const o = { m() { keep('method'); }, 'a@b (c)'() { keep('odd name'); } };
async function inner() { await null; keep('awaited'); }
async function later() { await null; keep('after await'); await inner(); }
async function run() {
  const c = new C(); void c.g; C.s(); c.all(); c.xy(); f(); o.m(); o['a@b (c)']();
  [1].map(() => keep('builtin'));
  ({ other: o.m }).other();
  eval("keep('eval'); (function ev() { keep('in eval'); eval('keep(\"nested eval\")'); })()");
  new Function('keep("Function")')();
  await new Promise((done) => setTimeout(function tick() { keep('timer'); done(); }));
  await later();
  await Promise.all([inner()]);
  const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 103, 0, 1, 10, 6, 1, 4, 0, 16, 0, 11];
  const { instance } = await WebAssembly.instantiate(new Uint8Array(bytes), { m: { f() { keep('wasm'); } } });
  instance.exports.g();
  await import("data:text/javascript,keep('data (x)@y')");
  const target = document.createElement('b');
  target.addEventListener('x', function listener() { keep('event'); });
  target.dispatchEvent(new Event('x'));
}
keep('top level');
