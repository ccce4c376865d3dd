var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// runtime/src/checks.ts
var checks_exports = {};
__export(checks_exports, {
  capture: () => capture,
  entry: () => entry,
  exit: () => exit,
  flag: () => flag,
  loop: () => loop
});
module.exports = __toCommonJS(checks_exports);

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
function makeChecks(flag2, take) {
  let recording = false;
  const left = new Int32Array(6);
  const capture2 = (kind, deeper = 0) => {
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
    flag: flag2,
    recorder: null,
    capture: capture2,
    left,
    // The write-back keeps engines from hoisting the load out of hot loops.
    entry() {
      if (flag2[1] = flag2[0]) capture2(0, 1);
    },
    loop() {
      if (flag2[1] = flag2[0]) capture2(1, 1);
    },
    exit(value) {
      if (flag2[1] = flag2[0]) capture2(2, 1);
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

// runtime/src/checks.ts
var { flag, capture, entry, loop, exit } = checks;
