// Runs in the page along with a program in Firefox: closes the last window when
// the program has ended, so that the browser ends and writes its profile.
(() => {
  'use strict';
  const { fetch, close } = globalThis;
  fetch('finished').finally(() => close());
})();
