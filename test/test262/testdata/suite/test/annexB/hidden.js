/*---
description: an object like document.all
---*/
assert(typeof $262.IsHTMLDDA === 'undefined' && $262.IsHTMLDDA !== undefined);
