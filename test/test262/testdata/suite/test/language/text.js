/*---
description: Knows where it stands, which checks before it change
flags: [noStrict]
---*/
function column() { return Number(/:(\d+)\)?$/.exec(new Error().stack.split('\n')[1])[1]) }
if (column() !== 53) throw new TypeError('other text, at ' + (column() > 53 ? 'a later column' : column()))
