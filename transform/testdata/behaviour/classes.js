// Classes: derived constructors, super, accessors, private names, statics.
class Base {
  #secret = 42;
  static count = 0;
  static { Base.count += 10; }
  field = (() => "field")();
  constructor(x) { this.x = x; Base.count++; }
  get secret() { return this.#secret; }
  set secret(v) { this.#secret = v; }
  #hidden() { return "hidden" + this.#secret; }
  reveal() { return this.#hidden(); }
  has(o) { return #secret in o; }
  static make(...args) { return new this(...args); }
  *[Symbol.iterator]() { yield this.x; yield this.#secret; }
  toString() { return `Base(${this.x})`; }
}
class Derived extends Base {
  constructor(x) { if (x < 0) { return Object.create(Derived.prototype); } super(x); this.y = super.toString(); }
  get secret() { return "d" + super.secret; }
  method() { return (() => super.reveal())(); }
}
class Implicit extends Derived { }
class ReturnsNothing extends Base { constructor() { super(1); return; } }
const d = new Derived(5);
print(d.y, d.secret, d.method(), [...new Base(1)].join(), Base.count, d.field);
print(new Derived(-1).x, new Implicit(3).x, new ReturnsNothing().x, Derived.make(4) instanceof Derived);
print(Base.make.name, Object.getOwnPropertyNames(Base.prototype).join(), new Base(0).has(d));
try { Base(); } catch (e) { print(e instanceof TypeError); }
try { new (class extends Base { constructor() { } })(); } catch (e) { print(e instanceof ReferenceError); }
try { new (class extends Base { constructor() { super(); super(); } })(); } catch (e) { print(e instanceof ReferenceError); }
const Anonymous = class { }; print(Anonymous.name, (class { }).name, (class Named { }).name);
const o = { __proto__: { hi() { return "proto"; } }, hi() { return "own " + super.hi(); } };
print(o.hi());
class Temp { static ["a" + 1] = () => this.name; static get b() { return this.a1(); } }
print(Temp.b);
print(Object.getOwnPropertyDescriptor(Base.prototype, "secret").set.length);
