'use strict';

// Called by programs that fixtures/verify.mjs has wrapped: accounts for self times on
// an explicit stack. Each call reads the clock twice, so that its own bookkeeping is
// charged to nobody.
const self = {};
let top = null;
let last = performance.now();

function charge() {
  const now = performance.now();
  if (top) self[top.name] += now - last;
}

function push(f) {
  f.up = top;
  f.on = true;
  top = f;
  last = performance.now();
}

globalThis.$enter = (name) => {
  charge();
  if (!(name in self)) self[name] = 0;
  const f = { name, up: null, on: false };
  push(f);
  return f;
};

globalThis.$exit = (f) => {
  if (!f.on) return;
  charge();
  f.on = false;
  top = f.up;
  last = performance.now();
};

globalThis.$report = () => console.log(JSON.stringify(self));
