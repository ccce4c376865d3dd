/*---
description: must not link
negative:
  phase: resolution
  type: SyntaxError
flags: [module]
---*/
import { nothing } from './cycle_FIXTURE.js';
nothing;
