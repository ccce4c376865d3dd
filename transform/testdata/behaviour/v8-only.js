// Syntax that goja does not know: HTML comments, async generators, for await, labelled functions.
var html = 1 <!--2
print(html);
--> a comment at the start of a line
label: function labelled() { return 1; }
print(labelled());
try { throw 1 } catch (e) { var e = 2; print(e) } print(e);
const log = [];
async function* stream(n) { try { for (let i = 0; i < n; i++) { if (i === 3) return; yield i; } yield (log.push("end"), "last"); return "value"; } finally { log.push("closed"); } }
async function consume(n, stop) { const got = []; for await (const x of stream(n)) { if (x === stop) break; got.push(x); } return got.join(); }
async function* delegate() { yield* stream(2); yield; const v = yield* [Promise.resolve(7)]; if (v) return; return await v; }
async function all() { const out = []; const it = delegate(); for (let r = await it.next("x"); !r.done; r = await it.next(r.value)) out.push(String(r.value)); return out.join(); }
let turn = 0;
const count = (p, name) => { const from = turn; return p.then(v => log.push(`${name}:${v}@${turn - from}`)); };
(async () => { for (let i = 0; i < 60; i++) { await null; turn++; } })();
count(consume(2), "two"); count(consume(9), "nine"); count(consume(9, 1), "stop"); count(all(), "all");
count(stream(5).next(), "next"); count(stream(0).return("r"), "ret");
class Lazy { async *[Symbol.asyncIterator]() { yield 1; yield 2; } static async *of(...a) { for (const x of a) yield x; } }
count((async () => { let s = 0; for await (const x of new Lazy()) s += x; for await (const x of Lazy.of(5, 6)) s += x; return s; })(), "lazy");
again: for (const re of [/[ab]/v, /(?<year>\d+)/d]) { print(re.source); continue again; }
done(() => print(log.join(" ")));
