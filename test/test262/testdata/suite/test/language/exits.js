/*---
description: takes the process down
flags: [noStrict]
---*/
$262.gc.constructor('return process')().exit(3);
