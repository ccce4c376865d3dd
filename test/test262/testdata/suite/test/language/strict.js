/*---
description: fails in sloppy mode, where it must not be run
flags: [onlyStrict]
---*/
function f() { return this; }
assert(f() === undefined);
