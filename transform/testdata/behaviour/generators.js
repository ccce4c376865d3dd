// Generators: order of effects, return(), throw(), delegation, closing.
const log = [];
function* g(n) { try { for (let i = 0; i < n; i++) { const got = yield i; log.push("got " + got); } return "end"; } finally { log.push("cleanup"); } }
const it = g(3);
print(JSON.stringify([it.next("a"), it.next("b"), it.return("r"), it.next()]), log.join());
log.length = 0;
const t = g(3); t.next();
try { t.throw(new Error("in")); } catch (e) { log.push(e.message); }
print(log.join()); log.length = 0;
for (const x of g(5)) { if (x === 2) break; }
print(log.join());
function* inner() { const r = yield "i1"; yield "i2" + r; return "result"; }
function* outer() { const v = yield* inner(); yield v; yield* [1, 2]; yield; return yield yield 3; }
const o = outer(); print(JSON.stringify([o.next(), o.next("x"), o.next(), o.next(), o.next(), o.next(), o.next(), o.next("p"), o.next("q")]));
function* infinite() { let n = 0; for (;;) yield n++; }
const [a, b, c] = infinite(); print(a, b, c);
function* fns() { yield () => 1; yield function () { }; yield class { }; yield (1, 2); yield [...g(2)]; }
print([...fns()].map(f => typeof f === "function" ? JSON.stringify(f.name) : String(f)).join(";"));
function* lazy(x = log.push("param")) { log.push("body"); yield x; }
log.length = 0; const l = lazy(); log.push("made"); l.next(); print(log.join());
const obj = { *[Symbol.iterator]() { yield* this.items; }, items: [1, 2, 3] };
print(Math.max(...obj));
function* early() { return; yield 1; }
print(JSON.stringify(early().next()));
function* nested() { const f = function* () { yield "deep"; }; yield* f(); if (yield "ask") return "yes"; return "no"; }
const m = nested(); print(JSON.stringify([m.next(), m.next(), m.next(true)]));
