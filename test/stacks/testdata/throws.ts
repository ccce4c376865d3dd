// Throws in every form there is, and notes each error with $caught.
declare function $caught(e: unknown): void;

type Thunk = () => unknown;
const nothing: any = null;
const missing: any = undefined;

function boom(message: string): never { throw new RangeError(message); }

const cases: Record<string, Thunk> = {
  statement() { throw new Error('statement'); },
  returned() { return boom('returned'); },
  tight() { return(nothing.tight) },
  sum() { const a = 1; return a + boom('sum') + 2; },
  property() { return nothing.property; },
  deep() { const o: any = { p: {} }; return o.p.q.r; },
  call() { return missing(); },
  method() { const o: any = {}; return o.method(1, 2); },
  chained() { return ({ a: [1] } as any).a.map((x: number) => x).nothing.more; },
  arrow: () => boom('arrow'),
  nestedArrow: () => ((x: any) => (y: any) => x.y.z + y)(1)(2),
  comma() { let x: any = 1; x++; x += 2; return x = nothing, x.field; },
  conditional() { return missing ? 1 : nothing ? 2 : boom('conditional'); },
  branch() { if (nothing) return 1; else return nothing.branch; },
  loop() { for (let i = 0; i < 9; i++) if (i === 5) boom('loop'); },
  bareLoop() { let i = 0; while (i < 9) i++ === 5 && boom('bare loop'); },
  doLoop() { let i = 0; do i++; while (i < 5 || nothing.loop); },
  forOf() { for (const x of 5 as any) return x; },
  forIn() { for (const k in { a: 1 }) return nothing[k]; },
  spread() { return [...missing]; },
  destructured() { const { a } = nothing; return a; },
  parameters() { return (({ a }: any) => a)(missing); },
  defaults() { return ((a = boom('default')) => a)(); },
  constructed() { return new Broken(1); },
  derived() { return new Derived(2).value; },
  getter() { return new Accessors().got; },
  setter() { (new Accessors() as any).got = 5; },
  statics() { return class { static x = boom('static'); }; },
  field() { return new (class { x = nothing.field; })(); },
  template() { return `${boom('template')}`; },
  tagged() { return missing`tagged`; },
  generator() { return [...numbers(3)]; },
  finallyThrows() { try { return 1; } finally { boom('finally'); } },
  rethrown() { try { boom('first'); } catch (e) { throw new Error('second', { cause: e }); } },
  recursion() { return descend(20); },
  callback() { return [3, 1, 2].sort((a, b) => a === 1 ? boom('callback') : a - b); },
  replaced() { return 'abc'.replace(/b/, () => boom('replaced')); },
  parsed() { return JSON.parse('{"a":1}', (_, v) => v.a.b.c); },
  converted() { return +{ valueOf() { return boom('converted'); } }; },
  proxied() { return new Proxy({}, { get() { return boom('proxied'); } } as any).anything; },
  evaluated() { return (0, eval)('null.inEval'); },
  switched() { switch (cases.switched.length) { case 0: return boom('switched'); default: return 1; } },
  labelled() { outer: for (;;) { for (;;) { if (cases) break outer; } } return nothing.labelled; },
  optional() { return missing?.a ?? nothing.optional; },
  deleted() { 'use strict'; return delete (Object.freeze({ a: 1 }) as any).a; },
  instance() { return nothing instanceof missing; },
  within() { return 'a' in missing; },
};

const later: Record<string, () => Promise<unknown>> = {
  async awaited() { return await Promise.reject(new Error('awaited')); },
  async after() { await null; return boom('after'); },
  async returned() { await 1; return later.after(); },
  async chain() { const x = await outer(3); return x; },
  async argument() { return String(await outer(1), await 2); },
  async loop() { for (let i = 0; i < 3; i++) { await i; if (i === 1) nothing.asyncLoop(); } },
  async forAwait() { for await (const x of ticks()) if (x === 2) boom('for await'); },
  async caught() { try { await outer(2); } catch (e) { throw new TypeError('caught', { cause: e }); } },
  async all() { return Promise.all([outer(1), outer(2)]); },
  arrow: async () => (await outer(2), boom('never')),
  async bare() { await (async () => { await null; throw new Error('bare'); })(); },
};

async function outer(n: number): Promise<number> { if (n === 0) { await null; return boom('outer'); } return 1 + (await outer(n - 1)); }
async function* ticks() { yield 1; yield await Promise.resolve(2); return boom('ticks'); }
function* numbers(n: number): Generator<number> { for (let i = 0; i < n; i++) yield i; const x = yield* more(); return x; }
function* more(): Generator<number> { yield 7; return boom('generator'); }
function descend(n: number): number { return n === 0 ? boom('recursion') : 1 + descend(n - 1); }

class Broken { constructor(n: number) { if (n) throw new SyntaxError('constructed'); } }
class Derived extends Object { value: number; constructor(n: number) { super(); this.value = n; return ((this.value = nothing.derived), this); } }
class Accessors { #hidden = 1; get got(): number { return this.#hidden + boom('getter'); } set got(x: number) { nothing.x = x; } }

for (const name of Object.keys(cases)) {
  try { cases[name]!(); } catch (e) { $caught(e); }
}
(async () => {
  for (const name of Object.keys(later)) {
    try { await later[name]!(); } catch (e) { $caught(e); }
  }
  console.log('throws', Object.keys(cases).length + Object.keys(later).length);
})();
