// Async functions: the order of turns must not change.
const log = [];
const tick = n => log.push(n);
async function empty() { }
async function value(x) { tick("v" + x); return x; }
async function returnsPromise() { return Promise.resolve("p"); }
async function awaits(n) { for (let i = 0; i < n; i++) { tick("a" + i); await null; } return "awaited"; }
async function thrower() { await 1; throw new Error("rejected"); }
async function tryer() { try { return await thrower(); } catch (e) { return "caught " + e.message; } finally { tick("fin"); } }
async function noAwaitReturn() { try { return thrower(); } catch (e) { return "never"; } }
const arrow = async x => await x;
const short = async () => { };
const method = { async m(a) { const b = await a; return b * (await 2); } };
async function parallel() { const r = await Promise.all([value(1), awaits(3), arrow(Promise.resolve(4)), method.m(5)]); return r.join(); }
async function loop() { const out = []; for (const x of [1, 2, 3]) { out.push(await new Promise(r => r(x))); } return out.join(); }
Promise.resolve().then(() => tick("m1")).then(() => tick("m2")).then(() => tick("m3")).then(() => tick("m4")).then(() => tick("m5")).then(() => tick("m6"));
empty().then(() => tick("empty"));
value(0).then(() => tick("value"));
returnsPromise().then(v => tick(v));
short().then(() => tick("short"));
tryer().then(tick);
noAwaitReturn().catch(e => tick("late " + e.message));
parallel().then(tick);
loop().then(tick);
(async () => { tick("iife"); await empty(); tick("iife2"); return async () => 1; })().then(f => tick("fn" + typeof f + JSON.stringify(f.name)));
tick("sync");
done(() => print(log.join(" ")));
