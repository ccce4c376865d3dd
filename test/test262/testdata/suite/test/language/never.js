/*---
description: fails, since it never says that it is done
flags: [async, noStrict]
---*/
