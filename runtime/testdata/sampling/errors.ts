// Capturing leaves the page's Error as it is, whatever the page made of it.
import { pass } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import { setLoader } from "../../src/recording/parts";
import { newError, tape } from "../../src/recording/sampler";

setLoader(() => new Promise(() => {}));
const { flag } = checks;
const session = tape.begin({ interval: 1, limit: Infinity, clock: "poll" });
function taken(): Error | undefined {
  tape.entries.length = 0;
  for (let i = 0; i < 10_000 && !tape.entries.length; i++) {
    pass(1);
    if ((flag[1] = flag[0])) flag.c.c(0);
  }
  return tape.entries.find((e) => e.capture)?.capture?.error ?? undefined;
}
function deep(n: number): Error | undefined {
  return n > 0 ? deep(n - 1) : taken();
}
const lines = (error: Error | undefined) => String(error!.stack).split("\n").length - 1;
const RealError = Error;

Error.stackTraceLimit = 7;
assert.ok(lines(deep(100)) > 100, "deep enough");
assert.equal(Error.stackTraceLimit, 7, "restored");
assert.ok(lines(deep(5000)) <= 220, "and bounded");

// Our own frames are those that `hidden` counts.
tape.entries.length = 0;
const top = String(taken()!.stack).split("\n").slice(1);
const { hidden } = tape.entries.find((e) => e.capture)!.capture!;
assert.match(top[hidden], /taken/);
checks.entry();
tape.entries.length = 0;
for (let i = 0; i < 10_000 && !tape.entries.some((e) => e.capture); i++) {
  pass(1);
  checks.exit(1);
}
const called = tape.entries.find((e) => e.capture)!.capture!;
assert.match(String(called.error!.stack).split("\n")[1 + called.hidden], /errors/);
assert.doesNotMatch(String(called.error!.stack).split("\n")[1 + called.hidden], /exit/, "the compact form calls one function more");

let asked = 0;
Error.prepareStackTrace = () => asked++;
assert.ok(taken());
assert.equal(asked, 0, "the page's hook does not hear of it");
delete Error.prepareStackTrace;

// A page that takes the limit away gets errors without stacks, and none of ours back.
delete Error.stackTraceLimit;
assert.ok(taken());
assert.ok(!("stackTraceLimit" in Error));
Object.defineProperty(Error, "stackTraceLimit", { get: () => 3, set: () => assert.fail("the page's accessor was called"), configurable: true });
assert.ok(taken());
Object.defineProperty(Error, "stackTraceLimit", { value: 4, writable: false, configurable: true });
assert.ok(taken());
assert.equal(Error.stackTraceLimit, 4);

// At the end of the stack no Error can be made.
Object.defineProperty(Error, "stackTraceLimit", { value: 4, writable: true });
function fill() {
  try {
    newError();
    fill();
  } catch {
    // There is no room for one more call.
  }
}
fill();
assert.equal(Error.stackTraceLimit, 4, "restored all the same");

// An Error of the page's own.
globalThis.Error = class extends RealError {
  constructor() {
    super();
    assert.fail("the page's Error was used");
  }
} as unknown as ErrorConstructor;
assert.ok(taken());
globalThis.Error = RealError;
Object.freeze(Error);
assert.ok(taken());
tape.end(session);
