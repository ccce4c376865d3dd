/*---
description: Knows where it stands, which checks before it change
flags: [noStrict]
---*/
function column() { const stack = new Error().stack.split('\n'); return parseInt(stack[1].split(':').pop()) }
if (column() !== 35) throw new TypeError('other text, at ' + (column() > 35 ? 'a later column' : column()))
