/*---
description: runs in both modes, with a file of the harness
includes: [twice.js]
---*/
let n = 0;
for (let i = 0; i < 5; i++) n += i;
assert(twice(n) === 20);
