/*---
description: differs, since it reads its own text
flags: [noStrict]
---*/
function f() { return 1; }
if (f.toString() !== 'function f() { return 1; }') throw new TypeError('other text');
