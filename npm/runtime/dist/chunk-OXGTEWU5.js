import {
  Idle,
  Program
} from "./chunk-MI2ED3SV.js";
import {
  checks
} from "./chunk-OL7LCS6D.js";

// runtime/src/parts.ts
var load = async () => {
  throw Error();
};
var loading;
function setLoader(loader) {
  load = loader;
}
function loadParts() {
  return loading ||= load();
}

// runtime/src/real.ts
var { Error: RealError, MessageChannel: RealChannel } = globalThis;
var { getOwnPropertyDescriptor: describe } = Object;
var { random } = Math;
var now = performance.now.bind(performance);

// runtime/src/clock.ts
var restPart = 1 / 16;
var Clock = class {
  /** Interval in milliseconds; the seed is a whole number. */
  constructor(interval, state) {
    this.interval = interval;
    this.state = state;
    this.deadline = Infinity;
  }
  begin(now2) {
    this.deadline = now2 + this.gap();
  }
  /** Moves on to the next deadline behind now. Returns how many have passed. */
  pass(now2) {
    let passed = 0;
    const behind = (now2 - this.deadline) / this.interval;
    if (behind > 1e3) {
      passed = Math.floor(behind);
      this.deadline += passed * this.interval;
    }
    if (behind < -100) this.begin(now2);
    while (this.deadline <= now2) {
      passed++;
      this.deadline += this.gap();
    }
    return passed;
  }
  gap() {
    return this.interval * (restPart - (1 - restPart) * Math.log(1 - this.random()));
  }
  /** A number from 0 up to 1: an additive sequence, of which the low 32 bits are mixed. */
  random() {
    let z = (this.state += 2654435769) | 0;
    z = Math.imul(z ^ z >>> 16, 569420461);
    z = Math.imul(z ^ z >>> 15, 1935289751);
    return ((z ^ z >>> 15) >>> 0) / 2 ** 32;
  }
};

// runtime/src/poll.ts
var period = 2e-3;
var maxStride = 128;
var frozen = 5e3;
function makePoll(tapeOf) {
  let clock = new Clock(Infinity, 0);
  let fresh = true;
  let sent = false;
  const last = new Float64Array(6);
  const stride = new Int32Array(6);
  const each = new Float64Array(6);
  let port;
  const send = () => {
    if (!sent) port.postMessage(0);
    sent = true;
  };
  const hurry = () => {
    checks.left.fill(0);
    last.fill(NaN);
  };
  const settle = (busy = !fresh) => {
    const time = now();
    const due = clock.deadline;
    const ticks = clock.pass(time);
    if (!ticks) return;
    const slept = time - due > frozen;
    tapeOf().add(time, due, slept ? 0 : ticks, busy ? Program : Idle, null, slept ? ticks : 0);
  };
  return {
    run(interval) {
      port?.close();
      checks.flag[0] = interval ? 1 : 0;
      hurry();
      clock = new Clock(interval || Infinity, tapeOf().sessions[0]?.settings.seed ?? 0);
      if (!interval) return;
      clock.begin(now());
      const { port1, port2 } = new RealChannel();
      port1.onmessage = () => {
        settle(true);
        sent = false;
        fresh = true;
        hurry();
      };
      port = port2;
      port1.unref?.();
      fresh = sent = false;
      send();
    },
    take(time) {
      checks.flag[0] = 1;
      if (fresh) {
        settle();
        fresh = false;
      }
      send();
      const due = clock.deadline;
      return [clock.pass(time), due];
    },
    pace(time, kind) {
      const took = (time - last[kind]) / stride[kind];
      if (took >= 0) each[kind] = took > each[kind] ? took : (took + each[kind]) / 2;
      last[kind] = time;
      const fit = Math.min(period, (clock.deadline - time) / 2) / each[kind];
      checks.left[kind] = stride[kind] = Math.min(maxStride, 2 * stride[kind], fit) | 0 || 1;
    },
    settle
  };
}

// runtime/src/tape.ts
var maxEntries = 500;
var Tape = class {
  constructor(source, recorder2) {
    this.source = source;
    this.recorder = recorder2;
    this.entries = [];
    this.sessions = [];
    /** Of the ticks, in milliseconds; 0 while the clock stands. */
    this.interval = 0;
    /** The page is hidden: no ticks. */
    this.paused = false;
  }
  begin(settings) {
    const seed = settings.seed ?? random() * 2 ** 32 >>> 0;
    const session = { settings: { ...settings, seed }, started: now(), ended: NaN };
    checks.recorder = this.recorder;
    this.sessions = [...this.sessions, session];
    this.update();
    loadParts().then(
      (parts) => parts.attend(),
      () => {
      }
      // whoever makes the trace will say so
    );
    return session;
  }
  end(session) {
    if (session.ended >= 0) return;
    this.source.settle(true);
    session.ended = now();
    this.sessions = this.sessions.filter((s) => s !== session);
    this.update();
  }
  /** Runs the clock for those who record. */
  update() {
    const { sessions } = this;
    const interval = this.paused || !sessions[0] ? 0 : Math.min(...sessions.map((s) => s.settings.interval));
    if (interval !== this.interval) {
      this.source.settle();
      this.source.run(this.interval = interval);
    }
  }
  add(time, due, ticks, kind, capture, missed = 0) {
    const { entries, sessions, interval } = this;
    if (entries.push({ time, due, ticks, missed, kind, capture, sessions, interval }) > maxEntries) {
      if (this.read) this.read();
      else entries.shift();
    }
  }
};

// runtime/src/sampler.ts
var maxDepth = 200;
function recorder(kind, raised, deeper) {
  const time = now();
  const { source } = tape;
  const [ticks, due] = source.take(time, raised);
  if (ticks > 0) tape.add(time, due, ticks, kind % 3, { error: newError(), hidden: 3 + deeper, stack: null });
  source.pace(time, kind);
}
function newError() {
  const limit = describe(RealError, "stackTraceLimit");
  if (!limit?.writable) return new RealError();
  RealError.stackTraceLimit = maxDepth;
  const error = new RealError();
  RealError.stackTraceLimit = limit.value;
  return error;
}
var tape = checks.tape ||= new Tape(makePoll(() => tape), recorder);

export {
  setLoader,
  loadParts,
  now,
  newError,
  tape
};
