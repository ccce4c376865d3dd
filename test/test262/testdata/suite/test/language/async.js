/*---
description: ends when it says so
flags: [async]
---*/
async function f() { await 1; return 2; }
f().then((x) => { assert(x === 2); }).then($DONE, $DONE);
