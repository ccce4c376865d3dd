// Loops of every kind, labels, switch, exceptions, finally.
let out = [];
for (let i = 0; i < 3; i++) out.push(() => i);
print(out.map(f => f()).join());
for (var j = 0; j < 3; j++);
print(j);
outer: for (const a of [1, 2, 3]) { for (const b of [1, 2, 3]) { if (b === 2) continue outer; if (a === 3) break outer; print(a, b); } }
let n = 0;
do n++; while (n < 5)
print(n);
do { n--; if (n === 2) continue; if (n === 1) break } while (n)
while (n < 10) if (n % 2) n += 3; else n++
print(n);
for (const k in { x: 1, y: 2 }) print(k);
for (var q in [7, 8]) ;
print(q);
block: { print("in"); if (n) break block; print("never"); }
function find(a, x) { for (let i = 0; i < a.length; i++) if (a[i] === x) return i; return -1 }
print(find([5, 6, 7], 7), find([], 1));
function f1() { try { return "try"; } finally { print("finally"); } }
function f2() { try { throw new Error("x"); } catch (e) { return e.message; } finally { print("finally2"); } }
function f3() { try { return "lost"; } finally { return "kept"; } }
function f4() { for (;;) { try { return 1; } finally { break; } } return 2; }
function f5() { l: try { return 1; } finally { break l; } return 3; }
print(f1(), f2(), f3(), f4(), f5());
function thrower() { throw new TypeError("boom"); }
function middle() { try { thrower(); } finally { print("unwound"); } }
try { middle(); } catch (e) { print(e instanceof TypeError, e.message); }
function sw(x) { switch (x) { case 1: return "one"; case 2: case 3: { return "few"; } default: return "many"; } }
print(sw(1), sw(3), sw(9));
function nested(x) { if (x) if (x > 1) return "big"; else return "one"; else return "none" }
print(nested(2), nested(1), nested(0));
function loops(x) { while (x) while (x > 5) x--; return x }
print((function () { let i = 0; for (; ;) { if (++i > 4) return i } })());
function elses(a) { if (a) for (let i = 0; i < 2; i++) a += i; else a = "no"; return a }
print(elses(1), elses(0));
function dangling(a, b) { if (a) while (b--) if (b === 1) return "hit"; return "miss" }
print(dangling(1, 3), dangling(0, 3));
with_: for (const x of [1]) { print(x) }
print(eval("1;for(var z=0;z<2;z++){z}"), eval("2;while(false);"), eval("do 3;while(false)"));
print(eval("var f0=function(){return 1};f0()"), eval("(x=>x)(4)"));
try { null.x; } catch { print("caught"); }
var re = 4, g = 2
var quotient = re /2/ g
print(quotient, /[/\]]/.test("/"), "a\u2028b".length, `t${`u${1 + 1}`}v`);
function comma(a) { return a++, a++, a }
print(comma(1));
print(((a, b) => { return a ? b : (() => { return "inner" })() })(0, 1));
