// Shared by cases: each is a name and a function that gives, perhaps later, its output.
// None hangs: after a while it is reported as hanging.
'use strict';

/* exported runCases */
async function runCases(cases, print, patience = 40_000) {
  for (const [name, run] of Object.entries(cases)) {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, patience, 'HANGS');
    });
    let said;
    try {
      said = await Promise.race([run(), late]);
    } catch (error) {
      said = `FAILS: ${error && error.message}`;
    }
    clearTimeout(timer);
    print(`${name}: ${typeof said === 'string' ? said : JSON.stringify(said)}`);
  }
}

if (typeof module === 'object') module.exports = { runCases };
