// runtime/src/core.ts
function makeFlag() {
  try {
    const { exchange } = Atomics;
    const shared = new Int32Array(new SharedArrayBuffer(8));
    if (exchange(shared, 0, 0) === 0) return [shared, () => exchange(shared, 0, 0)];
  } catch {
  }
  const own = new Int32Array(2);
  return [
    own,
    () => {
      const ticks = own[0];
      own[0] = 0;
      return ticks;
    }
  ];
}
function makeChecks(flag, take) {
  let recording = false;
  const left = new Int32Array(6);
  const capture = (kind, deeper = 0) => {
    if (--left[kind] > 0 || recording) return;
    recording = true;
    left[kind] = 0;
    try {
      const ticks = take();
      if (ticks > 0 && checks2.recorder) checks2.recorder(kind, ticks, deeper);
    } catch {
    }
    recording = false;
  };
  const checks2 = {
    version: 1,
    flag,
    recorder: null,
    capture,
    left,
    // The write-back keeps engines from hoisting the load out of hot loops.
    entry() {
      if (flag[1] = flag[0]) capture(0, 1);
    },
    loop() {
      if (flag[1] = flag[0]) capture(1, 1);
    },
    exit(value) {
      if (flag[1] = flag[0]) capture(2, 1);
      return value;
    }
  };
  return checks2;
}
function realmChecks() {
  let present;
  try {
    present = globalThis.__fieldprof;
    if (present && present.version) return present;
  } catch {
  }
  const checks2 = makeChecks(...makeFlag());
  try {
    if (!("__fieldprof" in globalThis)) Object.defineProperty(globalThis, "__fieldprof", { value: checks2, configurable: true });
  } catch {
  }
  return checks2;
}
var checks = realmChecks();

export {
  checks
};
