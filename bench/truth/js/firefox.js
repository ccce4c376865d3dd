// What the page runs beside a program in Firefox: it closes the last window when
// the program has ended, so that the browser ends, and writes its profile.
(() => {
  'use strict';
  const { fetch, close } = globalThis;
  fetch('finished').finally(() => close());
})();
