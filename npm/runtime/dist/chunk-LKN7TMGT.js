import {
  loadParts,
  tape
} from "./chunk-OXGTEWU5.js";

// runtime/src/profiler.ts
var defaults = { base: 10 };
var sessions = /* @__PURE__ */ new WeakMap();
var sessionOf = (profiler) => sessions.get(profiler);
function required(options, name) {
  const value = options?.[name];
  if (value === void 0) throw TypeError(name + " is " + value);
  return +value;
}
var noTrace = () => ({ resources: [], frames: [], stacks: [], samples: [], fieldprof: { version: 1, lost: ["samples: trace.js was not loaded"] } });
var { Profiler } = {
  Profiler: class extends EventTarget {
    constructor(options) {
      const limit = required(options, "maxBufferSize") >>> 0;
      const asked = required(options, "sampleInterval");
      if (!isFinite(asked) || asked < 0) throw (isFinite(asked) ? RangeError : TypeError)("sampleInterval is " + asked);
      super();
      const { base, clock } = defaults;
      sessions.set(
        this,
        tape.begin({
          interval: Math.ceil(asked / base) * base || base,
          limit,
          clock,
          onfull: () => this.dispatchEvent(new Event("samplebufferfull"))
        })
      );
    }
    get sampleInterval() {
      return sessionOf(this).settings.interval;
    }
    get stopped() {
      return sessionOf(this).ended >= 0;
    }
    async stop() {
      const session = sessionOf(this);
      if (session.ended >= 0) throw new DOMException("Profiler already stopped", "InvalidStateError");
      tape.end(session);
      try {
        return await (await loadParts()).trace(session);
      } catch {
        return noTrace();
      }
    }
  }
};
var enumerable = true;
Object.defineProperties(Profiler.prototype, {
  sampleInterval: { enumerable },
  stopped: { enumerable },
  stop: { enumerable },
  [Symbol.toStringTag]: { value: "Profiler", configurable: true }
});

// runtime/src/install.ts
var native = globalThis.Profiler;
function define(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
function untilRefused(native2) {
  return new Proxy(native2, {
    construct(target, options, newTarget) {
      try {
        return Reflect.construct(target, options, newTarget);
      } catch (error) {
        if (error.name !== "NotAllowedError") throw error;
        define("Profiler", Profiler);
        return new Profiler(...options);
      }
    }
  });
}
function install({ prefer, base, clock } = {}) {
  if (base > 0) defaults.base = base;
  if (clock) defaults.clock = clock;
  try {
    define("Profiler", native && prefer !== "polyfill" ? untilRefused(native) : Profiler);
  } catch {
  }
}

export {
  Profiler,
  install
};
