// Annex B, with, and other old ways.
var o = { a: 1 };
with (o) { a = 2; var inWith = (function () { return a; })(); }
print(o.a, inWith);
var everything = { has: function (t, k) { return typeof k === "string"; }, get: function (t, k) { return t[k]; }, set: function (t, k, v) { t[k] = v; return true; } };
function within(o) { with (o) { for (var i = 0; i < 3; i++); return i; } }
print(within(new Proxy({}, everything)));
var counted = { n: 3 };
with (new Proxy(counted, everything)) while (n--);
print(counted.n);
function h() { return typeof inner; { function inner() { } } }
print(h());
if (true) function inIf() { return "if"; }
print(typeof inIf);
print(010, "\101", typeof undeclared);
x = 5; delete globalThis.x;
print(typeof x, (function () { return delete arguments[0]; })(1));
function args(a, b) { a = 7; return arguments[0] + (arguments.length === 2 ? 0 : 100); }
print(args(1, 2));
var let = 3; print(let);
print((function f(f) { return f; })(4), (function f() { f = 1; return typeof f; })());
function legacy() { return legacy.arguments === null || true; }
print(legacy());
