// Annex B, with, and other old ways.
var o = { a: 1 };
with (o) { a = 2; var inWith = (function () { return a; })(); }
print(o.a, inWith);
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
