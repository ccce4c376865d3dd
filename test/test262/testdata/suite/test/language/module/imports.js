/*---
description: imports a fixture that imports it
flags: [module, async]
---*/
import { late } from './cycle_FIXTURE.js';
export function early() { return 'early'; }
assert(late === 'early and late');
import('./imports.js').then((again) => assert(again.early === early)).then($DONE, $DONE);
