// All that the program can see of itself stays: names, descriptors, counts.
var $f = "mine", $c = "also", $r = "and", $flag = 1, $capture = 2;
function uses() { return $f + $c + $r + $flag + $capture; }
print(uses());
print(typeof uses.caller === "undefined" || true, Object.keys(globalThis).filter(k => k === "uses").join());
const getter = { get ["x" + 1]() { return Object.getOwnPropertyDescriptor(this, "x1").get.name; } };
print(getter.x1);
function outer() { var v = "v"; return eval("v + 1"); }
print(outer());
function scoped() { eval("var made = 5"); return made; }
print(scoped());
const indirect = (0, eval)("typeof v");
print(indirect);
print(new Function("a", "return a * 2")(4));
var weird = { if: 1, class: 2, return: 3, async: 4, get: 5, set: 6, static: 7, of: 8, let: 9, yield: 10, await: 11 };
print(weird.if + weird.class + weird.return + weird.async, Object.keys(weird).length);
var async = 1, get = 2, set = 3, of = 4, let_ = 5;
print(async + get + set + of);
var yield_ = function () { var yield = 3; return yield * 2; };
print(yield_());
label: for (var of of [1, 2]) { continue label }
print(of);
print([..."é😀x"].length, "\u{1F600}".length);
print(((a) => /* c */ a /* d */)(1), (a => // c
  a)(2));
print((() => ({}))().constructor === Object, (() => [])().length, (() => `t`)());
print((x => x in { a: 1 })("a"));
for (var z = (k => k)(0); z < 1; z++) print("z", z);
var fnInFor = []; for (let i = 0, f = () => i; i < 2; i++) fnInFor.push(f());
print(fnInFor.join());
