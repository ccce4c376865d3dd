/*---
description: the harness is not there
flags: [raw]
---*/
if (typeof assert !== 'undefined') throw new Error('a harness');
