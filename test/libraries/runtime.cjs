// The runtime of the checks, made before anything is loaded. CHECKS says what
// it does: idle, the flag never rises; armed, it is up at every check. Each then
// calls capture, which takes the stack at the first ones and, since some
// programs have a hundred million, at one in some later.
'use strict';
const fs = require('node:fs');

const armed = process.env.CHECKS === 'armed';
const flag = new Int32Array(2);
flag[0] = armed ? 1 : 0;
flag.c = { c: capture };
const dense = 20000;
const sparse = 1009;
let taken = 0;

function capture() {
  if (!armed) throw new Error('captured while idle');
  taken++;
  if (taken < dense || taken % sparse === 0) return new Error().stack;
  return undefined;
}

function check(kind) {
  if ((flag[1] = flag[0])) capture(kind);
}

Object.defineProperty(globalThis, '__fieldprof', {
  value: {
    flag,
    entry() { check(0); },
    loop() { check(1); },
    exit(value) { check(2); return value; },
  },
});

process.on('exit', () => fs.writeSync(2, `captured ${taken}\n`));
