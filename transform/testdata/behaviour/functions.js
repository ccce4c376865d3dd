// Names, lengths, this, arguments, new.target, hoisting.
print(early(), typeof late);
function early() { return inner() + 1; function inner() { return 41; } }
var late = function () { return this === undefined; };
print(late.name, late.length, (function () {}).name, (() => {}).name === "");
const holder = { method(a, b) { return a + b; }, get g() { return "g"; }, set g(v) { print("set", v); }, ["comp" + "uted"]() { return 1; }, arrow: () => 2, async a() { return 3; }, *gen() { yield 4; } };
print(holder.method.name, holder.method.length, holder.computed.name, holder.arrow.name, holder.a.name, holder.gen.name);
print(Object.getOwnPropertyDescriptor(holder, "g").get.name);
holder.g = holder.g;
function sloppy(a) { arguments[0] = 9; return a; }
function strict(a) { "use strict"; arguments[0] = 9; return a; }
print(sloppy(1), strict(1), (function () { return arguments.length; })(1, 2, 3));
function Target() { return new.target === Target ? undefined : { called: true }; }
print(new Target() instanceof Target, Target().called);
function returnsObject() { this.a = 1; return { b: 2 }; }
print(new returnsObject().b, new returnsObject().a);
function returnsPrimitive() { this.a = 1; return 5; }
print(new returnsPrimitive().a);
const makers = [function () { return function () {}; }, () => () => {}, () => class {}, () => (function () {}), function () { return class { static m() {} }; }];
print(makers.map(m => JSON.stringify(m().name)).join());
const bound = function () { return this.v; }.bind({ v: 7 });
print(bound(), [1, 2, 3].map(x => x * 2).join(), (a => b => c => a + b + c)(1)(2)(3));
print((({ a }, [b, c = 3] = [2], ...rest) => [a, b, c, rest.length].join())({ a: 1 }), ((x = (() => 5)()) => x)());
function recursive(n) { return n < 2 ? 1 : n * recursive(n - 1); }
print(recursive(20));
function duplicates() { function g() { return 1; } function g() { return 2; } return g(); }
function alsoVar() { var g = 1; function g() {} return typeof g; }
function parameter(g) { function g() { return "inner"; } return g(); }
function conditional(x) { if (x) { function h() { return "h"; } } return typeof h; }
function argumentsFunction() { function arguments() { return 1; } return typeof arguments; }
print(duplicates(), alsoVar(), parameter(1), conditional(true), argumentsFunction());
function shadow(x) { { let x = 2; print(x); } return x; }
print(shadow(1));
function defaults(a = b1(), b = a + 1) { function b1() { return 100; } return a + b; }
function b1() { return 10; }
print(defaults());
function voids() { return; }
function falls() { 1 + 1 }
print(voids(), falls(), void 0 === voids());
function asi() {
  return
  5
}
print(asi());
print(typeof function () { }, (function () { return typeof this; })(), (function () { "use strict"; return typeof this; })());
const deep = (n) => n === 0 ? "done" : deep(n - 1);
print(deep(500));
