/*---
description: must not parse
negative:
  phase: parse
  type: SyntaxError
flags: [noStrict]
---*/
while (false) function f() {}
