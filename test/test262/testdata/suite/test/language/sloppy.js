/*---
description: fails in strict mode, where it must not be run
flags:
  - noStrict
---*/
function f() { return this; }
assert(f() === globalThis);
