var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
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

// runtime/src/core.ts
function makeFlag() {
  try {
    const { exchange } = Atomics;
    const shared2 = new Int32Array(new SharedArrayBuffer(8));
    if (exchange(shared2, 0, 0) === 0) return [shared2, () => exchange(shared2, 0, 0)];
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
var checks;
var init_core = __esm({
  "runtime/src/core.ts"() {
    checks = realmChecks();
  }
});

// runtime/src/parts.ts
function setLoader(loader) {
  load = loader;
}
function loadParts() {
  return loading ||= load();
}
var load, loading;
var init_parts = __esm({
  "runtime/src/parts.ts"() {
    load = async () => {
      throw Error();
    };
  }
});

// runtime/src/clock.ts
var restPart, Clock;
var init_clock = __esm({
  "runtime/src/clock.ts"() {
    restPart = 1 / 16;
    Clock = class {
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
  }
});

// runtime/src/real.ts
var RealError, RealChannel, describe, random, now;
var init_real = __esm({
  "runtime/src/real.ts"() {
    ({ Error: RealError, MessageChannel: RealChannel } = globalThis);
    ({ getOwnPropertyDescriptor: describe } = Object);
    ({ random } = Math);
    now = performance.now.bind(performance);
  }
});

// runtime/src/samples.ts
var Idle, Program;
var init_samples = __esm({
  "runtime/src/samples.ts"() {
    Idle = 3;
    Program = 4;
  }
});

// runtime/src/poll.ts
function makePoll(tapeOf2) {
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
    tapeOf2().add(time, due, slept ? 0 : ticks, busy ? Program : Idle, null, slept ? ticks : 0);
  };
  return {
    run(interval) {
      port?.close();
      checks.flag[0] = interval ? 1 : 0;
      hurry();
      clock = new Clock(interval || Infinity, tapeOf2().sessions[0]?.settings.seed ?? 0);
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
var period, maxStride, frozen;
var init_poll = __esm({
  "runtime/src/poll.ts"() {
    init_clock();
    init_core();
    init_real();
    init_samples();
    period = 2e-3;
    maxStride = 128;
    frozen = 5e3;
  }
});

// runtime/src/tape.ts
var maxEntries, Tape;
var init_tape = __esm({
  "runtime/src/tape.ts"() {
    init_core();
    init_parts();
    init_real();
    maxEntries = 500;
    Tape = class {
      constructor(source2, recorder2) {
        this.source = source2;
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
          (parts2) => parts2.attend(),
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
        const { sessions: sessions2 } = this;
        const interval = this.paused || !sessions2[0] ? 0 : Math.min(...sessions2.map((s) => s.settings.interval));
        if (interval !== this.interval) {
          this.source.settle();
          this.source.run(this.interval = interval);
        }
      }
      add(time, due, ticks, kind, capture, missed = 0) {
        const { entries, sessions: sessions2, interval } = this;
        if (entries.push({ time, due, ticks, missed, kind, capture, sessions: sessions2, interval }) > maxEntries) {
          if (this.read) this.read();
          else entries.shift();
        }
      }
    };
  }
});

// runtime/src/sampler.ts
function recorder(kind, raised, deeper) {
  const time = now();
  const { source: source2 } = tape;
  const [ticks, due] = source2.take(time, raised);
  if (ticks > 0) tape.add(time, due, ticks, kind % 3, { error: newError(), hidden: 3 + deeper, stack: null });
  source2.pace(time, kind);
}
function newError() {
  const limit = describe(RealError, "stackTraceLimit");
  if (!limit?.writable) return new RealError();
  RealError.stackTraceLimit = maxDepth;
  const error = new RealError();
  RealError.stackTraceLimit = limit.value;
  return error;
}
var maxDepth, tape;
var init_sampler = __esm({
  "runtime/src/sampler.ts"() {
    init_core();
    init_poll();
    init_real();
    init_tape();
    maxDepth = 200;
    tape = checks.tape ||= new Tape(makePoll(() => tape), recorder);
  }
});

// runtime/src/place.ts
var place;
var init_place = __esm({
  "runtime/src/place.ts"() {
    place = { base: "" };
  }
});

// runtime/src/board.ts
var word, ring, Board;
var init_board = __esm({
  "runtime/src/board.ts"() {
    word = {
      /** Odd: run; even: pause; below 0: end. A new value means new orders. */
      State: 0,
      /** 1 while a ping is under way to the realm. */
      Ping: 1,
      /** How many ticks were raised. */
      Raised: 2,
      /** Floats: the interval, when the first pending tick was due, missed deadlines. */
      Interval: 2,
      Due: 3,
      Missed: 4,
      /** Where the ring of delays begins. */
      Late: 5
    };
    ring = 64;
    Board = class {
      constructor(memory = new SharedArrayBuffer(8 * (word.Late + ring))) {
        this.memory = memory;
        this.words = new Int32Array(memory);
        this.numbers = new Float64Array(memory);
      }
      get interval() {
        return this.numbers[word.Interval];
      }
      set interval(milliseconds) {
        this.numbers[word.Interval] = milliseconds;
      }
      /** When the first pending tick was due, in milliseconds since 1970. */
      get due() {
        return this.numbers[word.Due];
      }
      set due(time) {
        this.numbers[word.Due] = time;
      }
      /** Deadlines that passed while the coordinator could not run. */
      get missed() {
        return this.numbers[word.Missed];
      }
      set missed(deadlines) {
        this.numbers[word.Missed] = deadlines;
      }
      /** Notes how late a tick was. */
      late(tick, milliseconds) {
        this.numbers[word.Late + tick % ring] = milliseconds;
      }
      /** How late the last ticks were. */
      lates() {
        return [...this.numbers.subarray(word.Late, word.Late + Math.min(ring, this.words[word.Raised]))];
      }
    };
  }
});

// runtime/src/coordinator.text.ts
var source;
var init_coordinator_text = __esm({
  "runtime/src/coordinator.text.ts"() {
    source = '(()=>{var t={State:0,Ping:1,Raised:2,Interval:2,Due:3,Missed:4,Late:5},b=64,l=class{constructor(e=new SharedArrayBuffer(8*(t.Late+b))){this.memory=e;this.words=new Int32Array(e),this.numbers=new Float64Array(e)}get interval(){return this.numbers[t.Interval]}set interval(e){this.numbers[t.Interval]=e}get due(){return this.numbers[t.Due]}set due(e){this.numbers[t.Due]=e}get missed(){return this.numbers[t.Missed]}set missed(e){this.numbers[t.Missed]=e}late(e,r){this.numbers[t.Late+e%b]=r}lates(){return[...this.numbers.subarray(t.Late,t.Late+Math.min(b,this.words[t.Raised]))]}};var d=class{constructor(e,r){this.interval=e;this.state=r;this.deadline=1/0}begin(e){this.deadline=e+this.gap()}pass(e){let r=0,n=(e-this.deadline)/this.interval;for(n>1e3&&(r=Math.floor(n),this.deadline+=r*this.interval),n<-100&&this.begin(e);this.deadline<=e;)r++,this.deadline+=this.gap();return r}gap(){return this.interval*(.0625-(1-.0625)*Math.log(1-this.random()))}random(){let e=(this.state+=2654435769)|0;return e=Math.imul(e^e>>>16,569420461),e=Math.imul(e^e>>>15,1935289751),((e^e>>>15)>>>0)/2**32}};function p({flag:s,memory:e,seed:r},n){let a=new l(e),{words:i}=a,m=()=>performance.timeOrigin+performance.now(),u=0,o=new d(1,r);for(n(t.State);;){let c=Atomics.load(i,t.State);if(c<0)return;c!==u&&(u=c,o=new d(a.interval,r++),o.begin(m()));let f=u&1,h=o.deadline-m();if(!f||h>0){Atomics.wait(i,t.State,u,f?h:1/0);continue}let w=o.deadline,v=o.pass(m());a.late(i[t.Raised],-h),Atomics.load(s,0)===0&&(a.due=w),Atomics.add(s,0,1),Atomics.add(i,t.Raised,1),a.missed+=v-1,Atomics.exchange(i,t.Ping,1)===0&&n(t.Ping)}}var g=globalThis.process?.getBuiltinModule?.("worker_threads");g?p(g.workerData,s=>g.parentPort.postMessage(s)):onmessage=s=>p(s.data,e=>postMessage(e));})();';
  }
});

// runtime/src/coordinator.ts
function inNode({ Worker: Worker2 }) {
  return (workerData, hear, failed) => {
    const worker = new Worker2(source, { eval: true, execArgv: [], workerData });
    worker.on("message", hear);
    worker.on("error", failed);
    worker.unref();
    return worker;
  };
}
function onWeb(url) {
  return (orders, hear, failed) => {
    const worker = new Worker(url);
    worker.onmessage = (event) => {
      if (event.data === word.State) URL.revokeObjectURL(String(url));
      hear(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      failed();
    };
    worker.postMessage(orders);
    return worker;
  };
}
function* ways() {
  const threads = globalThis.process?.getBuiltinModule?.("worker_threads");
  if (threads) return yield inNode(threads);
  yield onWeb(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  if (place.base) yield onWeb(new URL("coordinator.js", place.base));
}
var Coordinator;
var init_coordinator = __esm({
  "runtime/src/coordinator.ts"() {
    init_board();
    init_coordinator_text();
    init_place();
    Coordinator = class {
      constructor(flag, seed, hooks) {
        this.flag = flag;
        this.seed = seed;
        this.hooks = hooks;
        this.board = new Board();
        this.ways = ways();
        this.begun = false;
        this.raised = 0;
      }
      /** Starts the worker, in the next way that there is. */
      start() {
        const { flag, seed, board } = this;
        const mine = {};
        this.attempt = mine;
        const failed = () => {
          if (this.attempt !== mine) return;
          this.worker?.terminate();
          if (this.begun) this.hooks.failed("the coordinator's worker failed");
          else this.start();
        };
        const hear = (ping) => {
          if (this.attempt !== mine) return;
          if (ping !== word.State) return this.hooks.ping();
          this.begun = true;
          this.hooks.ready();
        };
        try {
          const way = this.ways.next().value;
          if (way) this.worker = way({ flag, seed, memory: board.memory }, hear, failed);
          else this.hooks.failed("the coordinator's worker could not start");
        } catch {
          failed();
        }
      }
      /** Runs with ticks so many milliseconds apart; none (0) is a pause. */
      run(interval) {
        const { words } = this.board;
        if (interval) this.board.interval = interval;
        this.tell((words[word.State] | 1) + (interval ? 2 : 1));
      }
      end() {
        this.tell(-1);
        this.attempt = void 0;
        this.worker?.terminate();
      }
      tell(state) {
        const { words } = this.board;
        Atomics.store(words, word.State, state);
        Atomics.notify(words, word.State);
      }
      /** Takes all pending ticks, and the ping with them. */
      clear() {
        Atomics.store(this.board.words, word.Ping, 0);
        return Atomics.exchange(this.flag, 0, 0);
      }
      /** Whether ticks were raised since it was last asked. */
      moved() {
        const before = this.raised;
        this.raised = this.board.words[word.Raised];
        return this.raised !== before;
      }
    };
  }
});

// runtime/src/recording.ts
var Recording;
var init_recording = __esm({
  "runtime/src/recording.ts"() {
    init_samples();
    Recording = class {
      constructor(session, tape2) {
        this.session = session;
        this.tape = tape2;
        /** Where ticks come from: shared memory, or checks that poll. */
        this.clock = "poll";
        /** How late the coordinator was, for recent ticks. */
        this.late = [];
        this.sums = { raised: 0, missed: 0, taken: 0, idle: 0, program: 0, lost: 0 };
        /** What was lost and why, for people. */
        this.lost = /* @__PURE__ */ new Set();
        // A sample is an entry of each. Those before head are gone.
        this.times = [];
        this.captures = [];
        this.kinds = [];
        this.weights = [];
        this.skids = [];
        this.head = 0;
        this.kept = 0;
        // ticks
        this.owed = 0;
        // ticks that no sample stands for so far, in parts of the interval
        this.owedMissed = 0;
        this.isFull = false;
      }
      get interval() {
        return this.session.settings.interval;
      }
      get limit() {
        return this.session.settings.limit;
      }
      get seed() {
        return this.session.settings.seed;
      }
      get started() {
        return this.session.started;
      }
      /** NaN while it runs. */
      get ended() {
        return this.session.ended;
      }
      get account() {
        this.tape.read();
        return { ...this.sums };
      }
      /** How many samples there are. */
      get length() {
        this.tape.read();
        return this.times.length - this.head;
      }
      /** Ends the recording; its samples stay. */
      stop() {
        this.tape.end(this.session);
        this.tape.read();
      }
      /** Adds what an entry of the tape holds: with a longer interval than the tape's, every so many ticks. */
      take(entry) {
        const part = entry.interval / this.interval;
        this.owed += entry.ticks * part + 1e-9;
        const ticks = Math.floor(this.owed);
        this.owed -= ticks;
        this.owedMissed += entry.missed * part + 1e-9;
        const missed = Math.floor(this.owedMissed);
        this.owedMissed -= missed;
        this.sums.missed += missed;
        this.sums.raised += ticks;
        if (entry.kind === Idle) this.sums.idle += ticks;
        else if (entry.kind === Program) this.sums.program += ticks;
        else this.sums.taken += ticks;
        if (ticks > 0) this.add(entry.time, entry.capture, entry.kind, ticks, Math.max(0, entry.time - entry.due));
      }
      add(time, capture, kind, ticks, skid) {
        const { ring: ring2 } = this.session.settings;
        const weight = Math.min(ticks, ring2 ? this.limit : this.limit - this.kept);
        if (!ring2 && weight < ticks) {
          this.sums.lost += ticks - weight;
          this.fill();
        }
        if (weight < 1) return;
        this.times.push(time);
        this.captures.push(capture);
        this.kinds.push(kind);
        this.weights.push(weight);
        this.skids.push(skid);
        this.kept += weight;
        while (this.kept > this.limit) this.kept -= this.weights[this.head++];
        if (this.head > 1e3 && this.head > this.times.length / 2) this.forget();
      }
      fill() {
        const { onfull } = this.session.settings;
        if (!this.isFull && onfull) setTimeout(onfull);
        this.isFull = true;
      }
      /** Visits the samples in order of time. */
      each(visit) {
        this.tape.read();
        for (let i = this.head; i < this.times.length; i++) {
          visit(this.times[i], this.captures[i], this.kinds[i], this.weights[i], this.skids[i]);
        }
      }
      /** Gives another kind, and no stack, to the samples whose first tick was due when `fell` says so. */
      remark(kind, fell) {
        this.tape.read();
        for (let i = this.head; i < this.times.length; i++) {
          if (!fell(this.times[i] - this.skids[i])) continue;
          this.kinds[i] = kind;
          this.captures[i] = null;
        }
      }
      /** Drops the samples from before a time. */
      dropBefore(time) {
        this.tape.read();
        while (this.head < this.times.length && this.times[this.head] < time) this.kept -= this.weights[this.head++];
        this.forget();
      }
      /** Forgets all samples, and goes on. */
      clear() {
        this.dropBefore(Infinity);
      }
      forget() {
        for (const column of [this.times, this.captures, this.kinds, this.weights, this.skids]) column.splice(0, this.head);
        this.head = 0;
      }
    };
  }
});

// runtime/src/shared.ts
var slowPing, Shared;
var init_shared = __esm({
  "runtime/src/shared.ts"() {
    init_core();
    init_real();
    init_samples();
    slowPing = 4;
    Shared = class {
      // of the coordinator's, that are on the tape
      constructor(tape2, coordinator2) {
        this.tape = tape2;
        this.coordinator = coordinator2;
        this.missed = 0;
      }
      take(_, raised) {
        return [raised, this.due()];
      }
      pace() {
      }
      // the next check that sees the flag
      run(interval) {
        checks.flag[0] = 0;
        this.coordinator.run(interval);
      }
      settle(busy) {
        if (!this.tape.interval) return;
        const due = this.due();
        const time = now();
        const ticks = this.coordinator.clear();
        const { missed } = this.coordinator.board;
        if (ticks > 0 || missed > this.missed) {
          this.tape.add(time, due, ticks, busy || time - due > slowPing ? Program : Idle, null, missed - this.missed);
        }
        this.missed = missed;
      }
      due() {
        return this.coordinator.board.due - performance.timeOrigin;
      }
    };
  }
});

// runtime/src/trace/place.ts
function split(text) {
  const [, url, line, column] = atEnd.exec(text) || lineAtEnd.exec(text) || [];
  return url ? { url, line: +line, column: +column || 0, name: "" } : null;
}
function written(url) {
  if (/^(?:https?|file):/i.test(url)) url = url.replace(/#.*/, "");
  return url.length > longest ? url.slice(0, longest) + "…" : url;
}
function isHost(url) {
  return /^(?:node:|wasm:|native |\[|<|self-hosted|resource:|chrome:\/|extensions::|internal\/|VM\d*$)/.test(url) || url.includes(":wasm-function[");
}
var evaluated, longest, atEnd, lineAtEnd;
var init_place2 = __esm({
  "runtime/src/trace/place.ts"() {
    evaluated = " > eval";
    longest = 2e3;
    atEnd = /^([^]*?):(\d{1,9}):(\d{1,9})$/;
    lineAtEnd = /^([^]*\D):(\d{1,9})$/;
  }
});

// runtime/src/trace/v8.ts
function headerOf(error) {
  try {
    return error.message ? `${error.name}: ${error.message}` : "";
  } catch {
    return "";
  }
}
function parts(text) {
  if (!text.endsWith(")")) return ["", text];
  let first2 = -1;
  for (let at = text.indexOf(" ("); at >= 0; at = text.indexOf(" (", at + 1)) {
    if (first2 < 0) first2 = at;
    if (place2.test(text.slice(at + 2, at + 40))) {
      first2 = at;
      break;
    }
  }
  return first2 < 0 ? ["", ""] : [text.slice(0, first2), text.slice(first2 + 2, -1)];
}
function read(where, name) {
  if (where.startsWith("eval at ")) {
    const base = evalBase(where);
    const inside = split(where.slice(where.lastIndexOf(", ") + 2));
    if (!base || !inside) return null;
    return { ...inside, url: base + evaluated, name: name === "eval" ? "" : name };
  }
  const found = split(where);
  if (!found || isHost(found.url)) return null;
  return { ...found, url: written(found.url), name };
}
function bareName(name) {
  name = name.replace(/ \[as [^]*\]$/, "").replace(/^new /, "");
  if (/^[\w$]+\.[^]/.test(name)) name = name.slice(name.indexOf(".") + 1);
  return name === "<anonymous>" ? "" : name;
}
function evalBase(origin) {
  const innermost = origin.slice(origin.lastIndexOf("eval at "));
  const open = innermost.indexOf(" (");
  const found = open < 0 ? null : /^([^]*?):\d+:\d+\)/.exec(innermost.slice(open + 2));
  return found ? written(found[1]) : "";
}
var place2, v8;
var init_v8 = __esm({
  "runtime/src/trace/v8.ts"() {
    init_place2();
    place2 = /^(?:eval at |<anonymous>|native\b|index \d|[a-z][\w+.-]*:|\/|[A-Za-z]:\\|\\\\|\.{0,2}\/)/i;
    v8 = {
      lines(stack, error) {
        const header = headerOf(error);
        if (header && stack.startsWith(header)) stack = stack.slice(header.length);
        return stack.split("\n").filter((line) => line.startsWith("    at "));
      },
      read(line) {
        const text = line.slice("    at ".length);
        if (text.startsWith("async ")) return "async";
        const [name, where] = parts(text);
        return read(where, bareName(name));
      }
    };
  }
});

// runtime/src/trace/callsites.ts
function holders(error) {
  const found = /* @__PURE__ */ new Set([globalThis.Error, loaded]);
  const add = (holder) => {
    try {
      found.add(holder());
    } catch {
    }
  };
  add(() => getPrototypeOf(TypeError));
  add(() => getPrototypeOf(error).constructor);
  found.delete(Function.prototype);
  return [...found].filter((holder) => typeof holder === "function");
}
function replace(holder, ours2) {
  const own = getOwnPropertyDescriptor(holder, hook);
  if (own ? own.configurable : isExtensible(holder)) {
    defineProperty(holder, hook, { value: ours2, configurable: true, writable: true, enumerable: false });
    return () => {
      if (own) defineProperty(holder, hook, own);
      else delete holder[hook];
    };
  }
  if (own?.writable) {
    defineProperty(holder, hook, { value: ours2 });
    return () => defineProperty(holder, hook, { value: own.value });
  }
  return null;
}
function isArmed(holder) {
  for (let at = holder; at; at = getPrototypeOf(at)) {
    const own = getOwnPropertyDescriptor(at, hook);
    if (own) return !!own.get || typeof own.value === "function";
  }
  return false;
}
function reading(first2, run) {
  let sites;
  const ours2 = (_, frames) => (sites = frames, "");
  const undo = [];
  let safe = true;
  try {
    for (const holder of holders(first2)) {
      try {
        const put = replace(holder, ours2);
        if (put) undo.unshift(put);
        else safe &&= !isArmed(holder);
      } catch {
        safe = false;
      }
    }
    run((error) => {
      if (!safe) return void 0;
      sites = void 0;
      const { stack } = error;
      return sites || stack;
    });
  } finally {
    for (const put of undo) {
      try {
        put();
      } catch {
      }
    }
  }
}
function runningEnd(sites) {
  let end = sites.length;
  if (end === 0 || !sites[end - 1].isAsync?.()) return end;
  for (let at = 0; at < end; at++) if (sites[at].isAsync()) end = at;
  return end;
}
function frameOf(site, tables2) {
  const url = site.getScriptNameOrSourceURL();
  if (!url) return site.isEval() ? evaluatedFrame(site, tables2) : null;
  let known2 = tables2.sites.get(url);
  if (!known2) tables2.sites.set(url, known2 = /* @__PURE__ */ new Map());
  const line = site.getLineNumber() || 0;
  const column = site.getColumnNumber() || 0;
  const key = line * 67108864 + column;
  let frame = known2.get(key);
  if (frame === void 0) {
    frame = isHost(url) ? null : makeFrame(site, written(url), line, column, tables2);
    known2.set(key, frame);
  }
  return frame;
}
function evaluatedFrame(site, tables2) {
  const base = evalBase(String(site.getEvalOrigin()));
  return base ? makeFrame(site, base + evaluated, site.getLineNumber() || 0, site.getColumnNumber() || 0, tables2) : null;
}
function makeFrame(site, url, line, column, tables2) {
  let name = site.getFunctionName() || "";
  if (name === "eval" && site.isEval()) name = "";
  return tables2.frame({ url, line, column, name }, site.getEnclosingLineNumber?.() || 0, site.getEnclosingColumnNumber?.() || 0);
}
var hook, loaded, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, isExtensible;
var init_callsites = __esm({
  "runtime/src/trace/callsites.ts"() {
    init_place2();
    init_v8();
    hook = "prepareStackTrace";
    ({ Error: loaded } = globalThis);
    ({ defineProperty, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Object);
  }
});

// runtime/src/trace/intern.ts
var KnownFrame, Node, most, mostText, Tables;
var init_intern = __esm({
  "runtime/src/trace/intern.ts"() {
    KnownFrame = class {
      constructor(url, line, column, name, startLine = 0, startColumn = 0) {
        this.url = url;
        this.line = line;
        this.column = column;
        this.name = name;
        this.startLine = startLine;
        this.startColumn = startColumn;
      }
    };
    Node = class {
      constructor(frame, parent) {
        this.frame = frame;
        this.parent = parent;
        this.children = null;
      }
    };
    most = 5e4;
    mostText = 4e6;
    Tables = class _Tables {
      constructor() {
        this.frames = /* @__PURE__ */ new Map();
        this.roots = /* @__PURE__ */ new Map();
        this.nodes = 0;
        this.text = 0;
        /** Frames by script and position, for V8: null for what is no script's. */
        this.sites = /* @__PURE__ */ new Map();
        /** Frames by line, and stacks by their whole text, for the others. */
        this.lines = /* @__PURE__ */ new Map();
        this.stacks = /* @__PURE__ */ new Map();
      }
      /** Begins a new generation of what is full. Not between two calls for one stack. */
      renew() {
        if (this.nodes > most) {
          this.roots = /* @__PURE__ */ new Map();
          this.stacks = /* @__PURE__ */ new Map();
          this.nodes = 0;
        }
        if (this.frames.size > most || this.text > mostText) Object.assign(this, new _Tables());
      }
      /** Makes room in the account of remembered texts. */
      remember(text) {
        this.text += text.length;
      }
      frame(place4, startLine, startColumn) {
        const key = `${place4.line}:${place4.column}:${place4.name}
${place4.url}`;
        let frame = this.frames.get(key);
        if (!frame) {
          frame = new KnownFrame(place4.url, place4.line, place4.column, place4.name, startLine, startColumn);
          this.frames.set(key, frame);
        }
        return frame;
      }
      /** The stack of frames, given innermost first; null for none. */
      stack(frames) {
        let at = null;
        for (let i = frames.length - 1; i >= 0; i--) at = this.child(at, frames[i]);
        return at;
      }
      child(parent, frame) {
        const children = parent ? parent.children ||= /* @__PURE__ */ new Map() : this.roots;
        let node = children.get(frame);
        if (!node) {
          children.set(frame, node = new Node(frame, parent));
          this.nodes++;
        }
        return node;
      }
    };
  }
});

// runtime/src/trace/spidermonkey.ts
function nameEnd(line) {
  let first2 = -1;
  for (let at = line.indexOf("@"); at >= 0; at = line.indexOf("@", at + 1)) {
    if (first2 < 0) first2 = at;
    if (place3.test(line.slice(at + 1, at + 40))) return at;
  }
  return first2;
}
var place3, spidermonkey;
var init_spidermonkey = __esm({
  "runtime/src/trace/spidermonkey.ts"() {
    init_place2();
    place3 = /^(?:[a-z][\w+.-]*:|\/|\[|<|self-hosted|debugger eval)/i;
    spidermonkey = {
      lines(stack) {
        return stack.split("\n").filter((line) => line.includes("@"));
      },
      read(line) {
        const at = nameEnd(line);
        const name = line.slice(0, at);
        if (/^[A-Za-z][\w. ]*\*/.test(name)) return "async";
        const found = split(line.slice(at + 1));
        if (!found || isHost(found.url) || line.includes(":wasm-function[")) return null;
        const made = / line \d+ > /.exec(found.url);
        const url = made ? written(found.url.slice(0, made.index)) + evaluated : written(found.url);
        return { ...found, url, name };
      }
    };
  }
});

// runtime/src/trace/jsc.ts
var bare, topLevel, jsc;
var init_jsc = __esm({
  "runtime/src/trace/jsc.ts"() {
    init_place2();
    init_spidermonkey();
    bare = /^(?:[a-z][\w+.-]*:\/|(?:blob|data|node|about):)/i;
    topLevel = /^(?:global|module|eval) code$/;
    jsc = {
      lines(stack) {
        return stack.split("\n").filter(Boolean);
      },
      read(line) {
        const at = bare.test(line) ? -1 : nameEnd(line);
        const name = line.slice(0, Math.max(0, at));
        if (name.startsWith("async ")) return "async";
        const found = split(line.slice(at + 1));
        if (!found || isHost(found.url) || line.includes(":wasm-function[")) return null;
        return { ...found, url: written(found.url), name: topLevel.test(name) ? "" : name === "starDefault" ? "default" : name };
      }
    };
  }
});

// runtime/src/trace/format.ts
function format(captures, until) {
  const pending = captures.filter((capture) => capture?.error);
  if (pending.length === 0) return;
  let done = 0;
  try {
    reading(pending[0].error, (read4) => {
      do {
        tables.renew();
        const capture = pending[done++];
        capture.stack = stackOf(capture.error, capture.hidden, read4);
        capture.error = null;
      } while (done < pending.length && !until?.());
    });
  } catch {
    for (const capture of pending) capture.error = null;
    reader.refused += pending.length;
  }
}
function stackOf(error, hidden, read4) {
  try {
    const found = read4(error);
    if (found === void 0) reader.refused++;
    if (!found) return null;
    return typeof found === "string" ? fromText(found, error, hidden) : fromSites(found, hidden);
  } catch {
    return null;
  }
}
function fromSites(sites, hidden) {
  const end = runningEnd(sites);
  buffer.length = 0;
  for (let i = hidden; i < end; i++) {
    const frame = frameOf(sites[i], tables);
    if (frame) buffer.push(frame);
  }
  return tables.stack(buffer);
}
function fromText(text, error, hidden) {
  const key = hidden + text;
  let stack = tables.stacks.get(key);
  if (stack === void 0) {
    stack = tables.stack(framesOf(text, error, hidden));
    tables.stacks.set(key, stack);
    tables.remember(key);
  }
  return stack;
}
function framesOf(text, error, hidden) {
  const grammar = grammarOf(text, error);
  const frames = [];
  for (const line of grammar.lines(text, error).slice(hidden)) {
    let frame = tables.lines.get(line);
    if (frame === void 0) {
      const found = grammar.read(line);
      if (found === "async") break;
      frame = found && tables.frame(found);
      tables.lines.set(line, frame);
      tables.remember(line);
    }
    if (frame) frames.push(frame);
  }
  return frames;
}
function grammarOf(text, error) {
  if (/^ {4}at /m.test(text)) return v8;
  if ("lineNumber" in error) return spidermonkey;
  reader.isJSC = true;
  return jsc;
}
var tables, reader, buffer;
var init_format = __esm({
  "runtime/src/trace/format.ts"() {
    init_callsites();
    init_intern();
    init_jsc();
    init_spidermonkey();
    init_v8();
    tables = new Tables();
    reader = {
      /** Whether this is JavaScriptCore, which has two frames for a running async function. */
      isJSC: false,
      /** Stacks that could not be read without calling the page's prepareStackTrace. */
      refused: 0
    };
    buffer = [];
  }
});

// runtime/src/reader.ts
function record(settings) {
  const recording = recordingOf(tape.begin(settings));
  attend();
  return recording;
}
function recordingOf(session) {
  return first.recordingOf(session);
}
function recordingHere(session) {
  return session.recording ||= new Recording(session, tapeOf);
}
function read2(enough) {
  const { entries } = tape;
  format(
    entries.map((entry) => entry.capture),
    enough
  );
  let i = 0;
  while (i < entries.length && !entries[i].capture?.error) deliver(entries[i++]);
  entries.splice(0, i);
}
function relieve() {
  let left = 50;
  read2(() => --left <= 0);
}
function deliver(entry) {
  for (const session of entry.sessions) {
    const recording = recordingOf(session);
    if (coordinator && tape.source !== poll) recording.late = coordinator.board.lates();
    recording.take(entry);
  }
}
function note(lost) {
  for (const session of tape.sessions) recordingOf(session).lost.add(lost);
}
function attend() {
  first.attend();
}
function attendHere() {
  choose();
  tell();
  if (attending) return;
  attending = true;
  tape.read = relieve;
  document2?.addEventListener("visibilitychange", follow);
  follow();
  silent = 0;
  watch();
  readSome();
}
function readSome() {
  const began = now();
  read2(() => now() - began > slice);
  if (!attending) return;
  if (requestIdleCallback) requestIdleCallback(readSome, { timeout: 1e3 });
  else idly(readSome, 100);
}
function follow() {
  tape.paused = !!document2 && document2.hidden;
  if (tape.paused) note("samples: none are taken while the page is hidden");
  tape.update();
}
function watch() {
  if (!tape.sessions.length) return leave();
  tape.source.settle();
  silent = tape.source === poll || !tape.interval || coordinator.moved() ? 0 : silent + watchEvery;
  if (silent > 2e3 + 10 * tape.interval) lose("the coordinator's worker fell silent");
  idly(watch, watchEvery);
}
function leave() {
  attending = false;
  document2?.removeEventListener("visibilitychange", follow);
  use(poll);
  coordinator?.end();
  coordinator = shared = void 0;
}
function idly(task, milliseconds) {
  setTimeout2(task, milliseconds).unref?.();
}
function choose() {
  const polls = tape.sessions.some((s) => s.settings.clock === "poll");
  if (!polls && !coordinator) hire();
  use(!polls && shared || poll);
}
function use(source2) {
  if (tape.source === source2) return;
  tape.source.settle();
  tape.source.run(0);
  tape.source = source2;
  source2.run(tape.interval);
  tell();
}
function tell() {
  for (const session of tape.sessions) recordingOf(session).clock = tape.source === poll ? "poll" : "shared";
}
function hire() {
  const { flag } = checks;
  const { SharedArrayBuffer: SharedArrayBuffer2 } = globalThis;
  if (!broken && !(SharedArrayBuffer2 && flag.buffer instanceof SharedArrayBuffer2)) broken = "no memory can be shared here";
  if (!document2 && "InternalError" in globalThis) broken = "in Firefox it is not safe to start a worker in a worker";
  if (broken) return note(`clock: ${broken}, so checks poll it`);
  const hired = coordinator = new Coordinator(flag, tape.sessions[0]?.settings.seed ?? 0, {
    ready() {
      shared = new Shared(tape, hired);
      choose();
    },
    ping: () => tape.source === shared && shared?.settle(),
    failed: lose
  });
  hired.start();
}
function lose(why) {
  broken = why;
  note(`clock: ${broken}, so checks poll it`);
  use(poll);
  coordinator?.end();
  coordinator = shared = void 0;
}
var watchEvery, slice, requestIdleCallback, setTimeout2, document2, poll, shared, coordinator, broken, attending, silent, first, tapeOf;
var init_reader = __esm({
  "runtime/src/reader.ts"() {
    init_coordinator();
    init_core();
    init_real();
    init_recording();
    init_sampler();
    init_shared();
    init_format();
    watchEvery = 500;
    slice = 4;
    ({ requestIdleCallback, setTimeout: setTimeout2, document: document2 } = globalThis);
    poll = tape.source;
    broken = "";
    attending = false;
    silent = 0;
    first = tape.reader ||= { attend: attendHere, recordingOf: recordingHere };
    tapeOf = {
      end: (session) => tape.end(session),
      read() {
        tape.source.settle();
        read2();
      }
    };
  }
});

// runtime/src/trace/attribute.ts
var Attribution;
var init_attribute = __esm({
  "runtime/src/trace/attribute.ts"() {
    Attribution = class {
      /** callerOf is for engines that have frames of no function's; null flags are for code of the engine's. */
      constructor(flagsOf, callerOf = (stack) => stack.parent) {
        this.flagsOf = flagsOf;
        this.callerOf = callerOf;
        this.nearest = /* @__PURE__ */ new Map();
      }
      /**
       * The stack whose innermost frame owns the time before a check: of a loop or
       * exit check its function, of an entry check the caller, unless the function's
       * parameters are filled first; from there the nearest checked function
       * outwards. Null where that is nobody.
       */
      owner(stack, kind) {
        if (!stack || kind > 2) return stack;
        const caller = kind === 0 && !this.flagsOf(stack.frame).filledFirst;
        return this.checkedFrom(caller ? this.callerOf(stack) : stack);
      }
      checkedFrom(stack) {
        const passed = [];
        let at = stack;
        let found = null;
        for (; at; at = this.callerOf(at)) {
          const known2 = this.nearest.get(at);
          if (known2 !== void 0) {
            found = known2;
            break;
          }
          passed.push(at);
          if (this.flagsOf(at.frame).checked) {
            found = at;
            break;
          }
        }
        for (const between of passed) this.nearest.set(between, found);
        return found;
      }
    };
  }
});

// runtime/src/trace/origins.ts
function isOurs(url) {
  return !!folder && url.startsWith(folder) && ours.test(url.slice(folder.length).replace(/[?#].*/, ""));
}
function hasCORS(url) {
  const elements = globalThis.document ? Array.from(document.scripts).filter((script) => isOf(script, url)) : [];
  if (elements.length > 0) return elements.every((script) => script.crossOrigin !== null || script.type === "module");
  if (isModuleWorker()) return true;
  const loads = timings(url);
  return loads.length > 0 && loads.every((load3) => (load3.responseStatus || 0) > 0);
}
function isOf(script, url) {
  const src = bare2(script.src);
  return src === url || !url.includes("?") && src.replace(/\?.*/, "") === url;
}
function asked(url) {
  if (url.includes("?") || !/^https?:/.test(url)) return url;
  const urls = /* @__PURE__ */ new Set([String(globalThis.location?.href)]);
  if (globalThis.document) for (const script of Array.from(document.scripts)) urls.add(script.src);
  const found = new Set(Array.from(urls, bare2).filter((known2) => known2.replace(/\?.*/, "") === url));
  return found.size === 1 ? [...found][0] : url;
}
function wasRedirectedAway(url) {
  const loads = timings(url);
  return loads.length > 0 && loads.every((load3) => load3.responseStatus === 0 && load3.requestStart === 0);
}
function timings(url) {
  const entries = performance.getEntriesByName(url, "resource");
  return entries.filter((entry) => entry.initiatorType === "script" || entry.initiatorType === "other");
}
function isModuleWorker() {
  const { importScripts } = globalThis;
  if (!importScripts) return false;
  try {
    importScripts();
    return false;
  } catch {
    return true;
  }
}
function scriptsOfOtherRealms(page) {
  const found = /* @__PURE__ */ new Set();
  if (!globalThis.document) return found;
  const others = /* @__PURE__ */ new Set();
  for (const at of [window.parent, window.top, window.opener]) if (at && at !== window) others.add(at);
  for (let i = 0; i < window.length && i < 100; i++) others.add(window[i]);
  for (const other of others) {
    try {
      for (const url of scriptsOf(other)) found.add(url);
    } catch {
    }
  }
  if (found.size === 0) return found;
  found.delete(page);
  for (const url of scriptsOf(window)) found.delete(url);
  return found;
}
function* scriptsOf(realm) {
  yield bare2(realm.location.href);
  for (const script of Array.from(realm.document.scripts)) if (script.src) yield bare2(script.src);
  for (const entry of realm.performance.getEntriesByType("resource")) {
    if (entry.initiatorType === "script" || entry.initiatorType === "other") yield bare2(entry.name);
  }
}
function bare2(url) {
  return url.replace(/#.*/, "");
}
var import_meta, ours, folder, Origins;
var init_origins = __esm({
  "runtime/src/trace/origins.ts"() {
    init_place2();
    import_meta = {};
    ours = /^(?:runtime|module|checks|trace|coordinator|register|mozilla|statistics|send|performance|profiler|index)\.[cm]?js$/;
    folder = /^(.*\/)trace\.[cm]?js(?:[?#].*)?$/.exec(import_meta.url || "")?.[1];
    Origins = class {
      constructor() {
        this.seen = /* @__PURE__ */ new Map();
        const place4 = globalThis.location;
        this.isAll = !place4;
        this.page = bare2(String(place4?.href));
        this.foreign = this.isAll ? /* @__PURE__ */ new Set() : scriptsOfOtherRealms(this.page);
      }
      /** Whether traces may speak of a script. A table that its server gave us under CORS says so, too. */
      shows(url, hasTable) {
        if (isOurs(url)) return false;
        if (this.isAll) return true;
        if (url.endsWith(evaluated) || this.foreign.has(url)) return false;
        if (hasTable) return true;
        return this.allows(url);
      }
      /** Whether the function table of a script may be asked for; checked: the script is known to have checks. */
      asks(url, checked) {
        if (url.endsWith(evaluated)) return false;
        if (this.isAll || url === this.page) return true;
        if (isOurs(url) || !/^https?:/i.test(url)) return false;
        return checked || this.allows(url);
      }
      allows(url) {
        let allowed = this.seen.get(url);
        if (allowed === void 0) {
          try {
            allowed = url === this.page || this.decide(url);
          } catch {
            allowed = false;
          }
          this.seen.set(url, allowed);
        }
        return allowed;
      }
      decide(url) {
        const { protocol, host } = new URL(url);
        switch (protocol) {
          case "http:":
          case "https:":
            return new URL(url).origin === globalThis.origin ? !wasRedirectedAway(url) : hasCORS(url);
          case "blob:":
            return new URL(url).origin === globalThis.origin;
          case "data:":
            return true;
          case "about:":
            return false;
        }
        if (protocol === location.protocol) return host === location.host;
        return protocol !== "file:" && !protocol.endsWith("extension:");
      }
    };
  }
});

// runtime/src/trace/functions.ts
function described(frame, table, index, shown) {
  let [line, column] = table.definition(index);
  if (line === 0) [line, column] = table.start(index);
  return {
    name: table.givenName(index),
    url: frame.url,
    line,
    column,
    checked: index === 0 || table.sites(index) !== 0,
    filledFirst: table.filledFirst(index),
    shown,
    table,
    index
  };
}
function isImplicit(frame) {
  return frame instanceof KnownFrame && frame.startLine === frame.line && frame.startColumn === frame.column && frame.name !== "";
}
function named(frame, shown, checked) {
  const [line, column] = beginning(frame);
  return { name: frame.name, url: frame.url, line, column, checked: checked && !isOurs(frame.url), filledFirst: false, shown, table: null, index: -1 };
}
function nameKey(frame) {
  const [line, column] = beginning(frame);
  const begins = frame instanceof KnownFrame && frame.startLine > 0;
  return `${frame.name}@${begins || frame.name === "" ? `${line}:${column}` : ""}`;
}
function beginning(frame) {
  return frame instanceof KnownFrame && frame.startLine > 0 ? [frame.startLine, frame.startColumn] : [frame.line, frame.column];
}
var Arrow, Functions;
var init_functions = __esm({
  "runtime/src/trace/functions.ts"() {
    init_intern();
    init_origins();
    Arrow = 3;
    Functions = class {
      constructor(tables2, origins, isJSC) {
        this.tables = tables2;
        this.origins = origins;
        this.isJSC = isJSC;
        this.byFrame = /* @__PURE__ */ new Map();
        this.byKey = /* @__PURE__ */ new Map();
      }
      of(frame) {
        let fn = this.byFrame.get(frame);
        if (!fn) this.byFrame.set(frame, fn = this.find(frame));
        return fn;
      }
      find(frame) {
        const { url, line, column } = frame;
        const table = line > 0 && !isImplicit(frame) ? this.tables.get(url) : void 0;
        const index = table ? table.find(line, column) : -1;
        const key = `${table ? index : nameKey(frame)}
${url}`;
        let fn = this.byKey.get(key);
        if (!fn) {
          const shown = this.origins.shows(url, this.tables.has(url));
          fn = table ? described(frame, table, index, shown) : named(frame, shown, !this.tables.has(url));
          this.byKey.set(key, fn);
        }
        return fn;
      }
      /**
       * The caller's stack. JavaScriptCore runs an async function in two frames, its
       * body and what was called, and puts the latter at the function's end.
       */
      callerOf(stack) {
        const { parent } = stack;
        return this.isJSC && parent && this.wraps(parent.frame, stack.frame) ? parent.parent : parent;
      }
      wraps(outer, body) {
        if (outer.url !== body.url) return false;
        const { table, index } = this.of(body);
        if (!table || index === 0) return false;
        const name = table.name(index);
        if (name !== "" ? outer.name !== name : outer.name !== "" || table.kind(index) !== Arrow) return false;
        const [line, column] = table.definition(index);
        const [endLine, endColumn] = table.end(index);
        if (outer.line !== line) return false;
        if (endLine === line) return outer.column === endColumn;
        const least = endColumn + column - 1;
        return outer.column >= least && outer.column < least + 40;
      }
    };
  }
});

// runtime/src/trace/samples.ts
function samplesOf(recording) {
  const captures = [];
  const samples = { times: [], stacks: [], kinds: [], weights: [], skids: [] };
  recording.each((time, capture, kind, weight, skid) => {
    captures.push(capture);
    samples.times.push(time);
    samples.kinds.push(kind);
    samples.weights.push(weight);
    samples.skids.push(skid);
  });
  format(captures);
  for (const capture of captures) samples.stacks.push(capture && capture.stack);
  return samples;
}
function eachFrame(stacks, visit) {
  const seen = /* @__PURE__ */ new Set();
  for (let stack of stacks) {
    for (; stack && !seen.has(stack); stack = stack.parent) {
      seen.add(stack);
      visit(stack.frame);
    }
  }
}
var init_samples2 = __esm({
  "runtime/src/trace/samples.ts"() {
    init_format();
  }
});

// runtime/src/trace/table.ts
function decode(text) {
  const wire = JSON.parse(text);
  if (typeof wire !== "object" || wire === null) throw new Error("it is no object");
  if (wire.version !== 1) throw new Error("its version is not supported, only 1");
  const { strings, functions } = wire;
  if (!Array.isArray(strings) || !strings.every((s) => typeof s === "string")) throw new Error("its strings are none");
  if (!Array.isArray(functions)) throw new Error("it has no functions");
  return new Decoder(strings, functions).table();
}
function check(f, heads, places, parents) {
  const before = (a, b) => places[a] < places[b] || places[a] === places[b] && places[a + 1] < places[b + 1];
  const fail = (why) => {
    throw new Error(`function ${f} ${why}`);
  };
  const start = 6 * f;
  const end = start + 2;
  const definition = start + 4;
  const kind = heads[f] & 15;
  if (kind === 0 !== (f === 0)) fail("and only it is the script, or it is not");
  if (kind > Initializer) fail("is of an unknown kind");
  if (places[start] < 1 || places[start + 1] < 1) fail("starts before the text");
  if (before(end, start)) fail("ends before its start");
  const known2 = places[definition] !== 0 || places[definition + 1] !== 0;
  if (known2 && (before(definition, start) || before(end, definition))) fail("is defined outside itself");
  const parent = parents[f];
  if (f === 0) {
    if (parent !== -1) fail("has a parent");
    return;
  }
  if (before(start, start - 6)) fail("starts before the one before it");
  if (parent < 0) fail("has no parent");
  if (before(start, 6 * parent) || before(6 * parent + 2, end)) fail("is not inside its parent");
}
var Method, Constructor, Initializer, sitesShift, filledFirstBit, inferredBit, originalBit, headEnd, largest, Table, Decoder;
var init_table = __esm({
  "runtime/src/trace/table.ts"() {
    Method = 4;
    Constructor = 7;
    Initializer = 8;
    sitesShift = 4;
    filledFirstBit = 1 << 7;
    inferredBit = 1 << 8;
    originalBit = 1 << 9;
    headEnd = 1 << 10;
    largest = 2 ** 31 - 1;
    Table = class {
      constructor(count, heads, places, parents, names, given) {
        this.count = count;
        this.heads = heads;
        this.places = places;
        this.parents = parents;
        this.names = names;
        this.given = given;
      }
      name(f) {
        return this.names[f];
      }
      /**
       * As V8 names it in profiles: an anonymous function after the variable,
       * property or field that it is the value of, where the language itself does.
       */
      givenName(f) {
        return this.given[f];
      }
      kind(f) {
        return this.heads[f] & 15;
      }
      /** Which checks it carries: bit k for site kind k. */
      sites(f) {
        return this.heads[f] >> sitesShift & 7;
      }
      filledFirst(f) {
        return (this.heads[f] & filledFirstBit) !== 0;
      }
      parent(f) {
        return this.parents[f];
      }
      start(f) {
        return [this.places[6 * f], this.places[6 * f + 1]];
      }
      end(f) {
        return [this.places[6 * f + 2], this.places[6 * f + 3]];
      }
      /** Where V8 says the function is defined; 0:0: unknown. */
      definition(f) {
        return [this.places[6 * f + 4], this.places[6 * f + 5]];
      }
      /** Whether the place at an index of places is behind a position. */
      behind(place4, line, column) {
        const at = this.places[place4];
        return line < at || line === at && column < this.places[place4 + 1];
      }
      /** Whether a position is within the script at all. */
      holds(line, column) {
        return line > 0 && !this.behind(0, line, column) && (this.behind(2, line, column) || line === this.places[2] && column === this.places[3]);
      }
      /** The innermost function that executes at a position; 0 outside all. */
      find(line, column) {
        let low = 0;
        let high = this.count;
        while (low < high) {
          const middle = low + high >>> 1;
          if (this.behind(6 * middle, line, column)) high = middle;
          else low = middle + 1;
        }
        let at = low - 1;
        while (at > 0 && !this.executes(at, line, column)) at = this.parents[at];
        return Math.max(0, at);
      }
      executes(f, line, column) {
        if (!this.behind(6 * f + 2, line, column)) return false;
        const kind = this.kind(f);
        if (kind < Method || kind > Constructor) return true;
        return !this.behind(6 * f + 4, line, column);
      }
    };
    Decoder = class {
      constructor(strings, numbers) {
        this.strings = strings;
        this.numbers = numbers;
        this.at = 0;
        this.line = 0;
        this.column = 0;
      }
      table() {
        const heads = [];
        const places = [];
        const parents = [];
        const names = [];
        const given = [];
        let startLine = 0;
        let startColumn = 0;
        let source2 = [0, 0];
        while (this.at < this.numbers.length) {
          const f = heads.length;
          const head = this.number(0, headEnd - 1);
          heads.push(head);
          this.position(startLine, startColumn);
          startLine = this.line;
          startColumn = this.column;
          places.push(startLine, startColumn);
          for (let i = 0; i < 2; i++) {
            this.position(startLine, startColumn);
            places.push(this.line, this.column);
          }
          parents.push(f - this.number(1, f + 1));
          names.push(this.string());
          this.number(0, largest);
          const inferred = head & inferredBit ? this.string() : "";
          given.push(names[f] || (inferred.includes(".") ? "" : inferred));
          if (head & originalBit) {
            this.string();
            this.string();
            this.position(source2[0], source2[1]);
            source2 = [this.line, this.column];
          }
          check(f, heads, places, parents);
        }
        if (heads.length === 0) throw new Error("it has no entry for the script");
        return new Table(heads.length, Uint16Array.from(heads), Int32Array.from(places), Int32Array.from(parents), names, given);
      }
      number(low, high) {
        const value = this.numbers[this.at++];
        if (typeof value !== "number" || !Number.isInteger(value) || value < low || value > high) {
          throw new Error(`functions[${this.at - 1}] is not within ${low} to ${high}`);
        }
        return value;
      }
      position(baseLine, baseColumn) {
        const line = this.number(-largest, largest);
        const column = this.number(-largest, largest);
        this.line = baseLine + line;
        this.column = line === 0 ? baseColumn + column : column;
        if (this.line < 0 || this.line > largest || this.column < 0 || this.column > largest) {
          throw new Error(`functions[${this.at - 1}] is out of range`);
        }
      }
      string() {
        return this.strings[this.number(0, this.strings.length - 1)];
      }
    };
  }
});

// runtime/src/trace/tables.ts
function readTablesBy(reader2) {
  read3 = reader2;
}
function tableURL(script) {
  if (script.endsWith(evaluated)) return null;
  if (/^(?:https?|file):\/\//i.test(script)) {
    const path = script.replace(/[?#].*/, "");
    return (path.endsWith("/") ? path + "index.html" : path) + suffix;
  }
  const isPath = /^(?:\/|[A-Za-z]:\\|\\\\)/.test(script);
  return isPath && read3 !== readByFetch ? script + suffix : null;
}
async function tablesOf(scripts, lost) {
  const asked2 = [...new Set(scripts)].slice(0, most2);
  const missing = asked2.filter((script) => !known.has(script));
  if (missing.length > 0 && !checks.hurry) await load2(missing);
  return loaded2(asked2, lost);
}
function loaded2(scripts, lost) {
  const found = /* @__PURE__ */ new Map();
  for (const script of scripts) {
    const table = known.get(script) ?? "not loaded in time";
    if (typeof table === "string") lost.add(`${script}: ${table}: its functions have the engine's names`);
    else found.set(script, table);
  }
  return found;
}
async function load2(scripts) {
  const stop = new AbortController();
  let timer;
  const late = new Promise((done) => {
    timer = setTimeout(() => {
      stop.abort();
      done();
    }, patience);
  });
  const all = Promise.all(scripts.map((script) => loadOne(script, stop.signal)));
  await Promise.race([all, late]);
  clearTimeout(timer);
}
async function loadOne(script, signal) {
  const url = tableURL(script);
  let result = "no function table";
  try {
    const text = url && await read3(url, signal);
    if (text) result = decode(text);
  } catch (error) {
    if (signal.aborted) return;
    result = `no function table (${String(error).slice(0, 200)})`;
  }
  known.set(script, result);
}
async function readByFetch(url, signal) {
  const response = await fetch(url, { signal, credentials: "same-origin" });
  if (!response.ok || !response.body) return null;
  const length = Number(response.headers.get("Content-Length"));
  if (length > largestTable) return null;
  if (length > 0) return response.text();
  const reader2 = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (; ; ) {
    const { done, value } = await reader2.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > largestTable) {
      reader2.cancel().catch(() => {
      });
      throw new Error("it is too large");
    }
  }
}
var largestTable, patience, most2, suffix, read3, known;
var init_tables = __esm({
  "runtime/src/trace/tables.ts"() {
    init_place2();
    init_core();
    init_table();
    largestTable = 64 << 20;
    patience = 5e3;
    most2 = 1e3;
    suffix = ".functions.json";
    read3 = readByFetch;
    known = /* @__PURE__ */ new Map();
  }
});

// runtime/src/trace/trie.ts
var Trie;
var init_trie = __esm({
  "runtime/src/trace/trie.ts"() {
    Trie = class {
      constructor(callerOf, ownerOf) {
        this.callerOf = callerOf;
        this.ownerOf = ownerOf;
        /** Of each stack: the index of its caller's, -1 for none, and that of its owner. */
        this.parents = [];
        this.owners = [];
        this.known = /* @__PURE__ */ new Map();
        this.children = /* @__PURE__ */ new Map();
      }
      /** The index of a stack without what must not show; -1 when that is all of it. */
      of(stack) {
        const passed = [];
        let id = -1;
        for (let at = stack; at; at = this.callerOf(at)) {
          const known2 = this.known.get(at);
          if (known2 !== void 0) {
            id = known2;
            break;
          }
          passed.push(at);
        }
        for (const inner of passed.reverse()) {
          const owner = this.ownerOf(inner.frame, id < 0 ? -1 : this.owners[id]);
          if (owner >= 0) id = this.child(id, owner);
          this.known.set(inner, id);
        }
        return id;
      }
      child(parent, owner) {
        const key = (parent + 1) * 33554432 + owner;
        let id = this.children.get(key);
        if (id === void 0) {
          this.children.set(key, id = this.parents.length);
          this.parents.push(parent);
          this.owners.push(owner);
        }
        return id;
      }
    };
  }
});

// runtime/src/trace/attributed.ts
async function attributed(recording, asUnknown = false) {
  const lost = new Set(recording.lost);
  const samples = samplesOf(recording);
  if (reader.refused > 0) lost.add("the page's Error.prepareStackTrace cannot be set aside: some stacks were not read");
  const origins = new Origins();
  const tables2 = await tablesOf(scriptsToAsk(samples, origins), lost);
  dropWrong(tables2, samples, lost);
  const functions = new Functions(tables2, origins, reader.isJSC);
  const attribution = new Attribution(
    (frame) => functions.of(frame),
    (stack) => functions.callerOf(stack)
  );
  const owners = new Owners(functions, asUnknown);
  const trie = new Trie(
    (stack) => functions.callerOf(stack),
    (frame, caller) => owners.of(frame, caller)
  );
  const stacks = new Int32Array(samples.times.length).fill(-1);
  const kinds = samples.kinds.slice();
  for (let i = 0; i < stacks.length; i++) {
    const owner = attribution.owner(samples.stacks[i], kinds[i]);
    if (owner) stacks[i] = trie.of(owner);
    if (kinds[i] <= 2 && stacks[i] < 0) kinds[i] = Program;
  }
  const { times, weights, skids } = samples;
  return {
    functions: owners.functions,
    parents: trie.parents,
    owners: trie.owners,
    each: (visit) => stacks.forEach((stack, i) => visit(times[i], stack, kinds[i], weights[i], skids[i])),
    skids,
    lost
  };
}
function scriptsToAsk(samples, origins) {
  const checked = /* @__PURE__ */ new Set();
  samples.stacks.forEach((stack, i) => {
    if (stack && samples.kinds[i] <= 2) checked.add(stack.frame.url);
  });
  const asked2 = /* @__PURE__ */ new Set();
  const seen = /* @__PURE__ */ new Set();
  eachFrame(samples.stacks, ({ url }) => {
    if (seen.has(url)) return;
    seen.add(url);
    if (origins.asks(url, checked.has(url))) asked2.add(url);
  });
  return asked2;
}
function dropWrong(tables2, samples, lost) {
  if (tables2.size === 0) return;
  const balance = /* @__PURE__ */ new Map();
  samples.stacks.forEach((stack, i) => {
    const table = stack && tables2.get(stack.frame.url);
    if (!table || samples.kinds[i] > 2) return;
    const { url, line, column } = stack.frame;
    const fits = line === 0 || table.sites(table.find(line, column)) >> samples.kinds[i] & 1;
    balance.set(url, (balance.get(url) || 0) + (fits ? 1 : -1));
  });
  eachFrame(samples.stacks, ({ url, line, column }) => {
    const table = tables2.get(url);
    if (table && line > 0 && !table.holds(line, column)) balance.set(url, -Infinity);
  });
  for (const [url, by] of balance) {
    if (by >= 0) continue;
    tables2.delete(url);
    lost.add(`${url}: the function table does not match the script: its functions have the engine's names`);
  }
}
var unknown, Owners;
var init_attributed = __esm({
  "runtime/src/trace/attributed.ts"() {
    init_samples();
    init_attribute();
    init_format();
    init_functions();
    init_origins();
    init_samples2();
    init_tables();
    init_trie();
    unknown = { name: "unknown", url: "", line: 0, column: 0, checked: false, filledFirst: false, shown: true, table: null, index: -1 };
    Owners = class {
      constructor(all, asUnknown) {
        this.all = all;
        this.asUnknown = asUnknown;
        this.functions = [];
        this.ids = /* @__PURE__ */ new Map();
      }
      of(frame, caller) {
        const fn = this.all.of(frame);
        if (fn.shown) return this.number(fn);
        return this.asUnknown && !isOurs(fn.url) && this.functions[caller] !== unknown ? this.number(unknown) : -1;
      }
      number(fn) {
        let id = this.ids.get(fn);
        if (id === void 0) this.ids.set(fn, id = this.functions.push(fn) - 1);
        return id;
      }
    };
  }
});

// runtime/src/trace/trace.ts
async function traceOf(recording, asUnknown = false) {
  const { clock, interval, seed, late } = recording;
  const account = { ...recording.account };
  const result = { frames: [], resources: [], samples: [], stacks: [] };
  let lost = recording.lost;
  let skids = [];
  try {
    const found = await attributed(recording, asUnknown);
    ({ lost, skids } = found);
    addFrames(found, result);
    found.parents.forEach((parent, i) => {
      const frameId = found.owners[i];
      result.stacks.push(parent < 0 ? { frameId } : { frameId, parentId: parent });
    });
    result.samples = samplesOf2(found);
  } catch (error) {
    lost = new Set(lost).add(`the trace could not be made: ${String(error).slice(0, 200)}`);
  }
  result.fieldprof = { version: 1, clock, interval, seed, account, late: spread(late), skid: spread(skids), lost: [...lost] };
  return result;
}
function addFrames(found, to) {
  const resources = /* @__PURE__ */ new Map();
  for (const { name, url, line, column } of found.functions) {
    if (!url) {
      to.frames.push({ name });
      continue;
    }
    let resourceId = resources.get(url);
    if (resourceId === void 0) {
      resources.set(url, resourceId = to.resources.length);
      to.resources.push(reader.isJSC ? asked(url) : url);
    }
    to.frames.push(line > 0 ? { column: Math.max(1, column), line, name, resourceId } : { name, resourceId });
  }
}
function samplesOf2(found) {
  const samples = [];
  let ticks = 0;
  let last = 0;
  found.each((_time, _stack, _kind, weight) => ticks += weight);
  found.each((time, stack, kind, weight, skid) => {
    const entries = ticks > most3 ? 1 : weight;
    for (let i = 1; i <= entries; i++) {
      const due = entries === 1 ? time : time - skid + skid * (i - 1) / (entries - 1);
      last = Math.max(last, due);
      samples.push(sample(last, stack, weight / entries, i === 1 ? kind : -1, skid));
    }
  });
  return samples;
}
function sample(timestamp, stackId, weight, kind, skid) {
  const made = stackId < 0 ? { timestamp } : { stackId, timestamp };
  made.weight = weight;
  if (kind >= 0) {
    made.kind = kindNames[kind];
    made.skid = skid;
  }
  return made;
}
function spread(delays) {
  const sorted = Float64Array.from(delays).sort();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] || 0;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), max: at(1) };
}
var kindNames, most3;
var init_trace = __esm({
  "runtime/src/trace/trace.ts"() {
    init_attributed();
    init_format();
    init_origins();
    kindNames = ["entry", "loop", "exit", "idle", "program", "gc"];
    most3 = 4e6;
  }
});

// runtime/src/trace/cpuprofile.ts
async function cpuprofile(recording) {
  const found = await attributed(recording);
  const tree = new Tree(found);
  const interval = recording.interval * 1e3;
  const startTime = Math.round(recording.started * 1e3);
  const samples = [];
  const timeDeltas = [];
  let ended = 0;
  const slot = (id) => {
    const begin = Math.floor(samples.length * interval);
    samples.push(id);
    timeDeltas.push(begin - ended);
    ended = begin;
  };
  found.each((_time, stack, kind, weight) => {
    const node = kind > 2 || stack < 0 ? tree.pseudo(pseudo[kind] || pseudo[4]) : tree.nodes[stack + 1];
    for (let i = 0; i < weight && samples.length < most4; i++) {
      node.hitCount++;
      slot(node.id);
    }
  });
  slot(tree.nodes[0].id);
  return { nodes: tree.nodes, startTime, endTime: startTime + ended, samples, timeDeltas };
}
function named2(functionName) {
  return { functionName, scriptId: "0", url: "", lineNumber: -1, columnNumber: -1 };
}
var most4, pseudo, Tree;
var init_cpuprofile = __esm({
  "runtime/src/trace/cpuprofile.ts"() {
    init_attributed();
    most4 = 4e6;
    pseudo = { 3: "(idle)", 4: "(program)", 5: "(garbage collector)" };
    Tree = class {
      constructor(found) {
        this.nodes = [];
        this.pseudos = /* @__PURE__ */ new Map();
        this.scripts = /* @__PURE__ */ new Map();
        this.add(named2("(root)"));
        found.owners.forEach((owner, i) => this.add(this.frame(found.functions[owner]), found.parents[i] + 1));
      }
      add(callFrame, parent) {
        const node = { id: this.nodes.length + 1, callFrame, hitCount: 0 };
        this.nodes.push(node);
        if (parent !== void 0) (this.nodes[parent].children ||= []).push(node.id);
        return node;
      }
      pseudo(name) {
        let node = this.pseudos.get(name);
        if (!node) this.pseudos.set(name, node = this.add(named2(name), 0));
        return node;
      }
      frame({ name, url, line, column }) {
        let scriptId = this.scripts.get(url);
        if (!scriptId) this.scripts.set(url, scriptId = String(this.scripts.size + 1));
        return { functionName: name, scriptId, url, lineNumber: line - 1, columnNumber: column - 1 };
      }
    };
  }
});

// runtime/src/trace/raw.ts
function raw(recording) {
  const samples = samplesOf(recording);
  const writer = new Writer();
  const stack = samples.stacks.map((at) => writer.stack(at));
  return {
    version: 1,
    clock: recording.clock,
    interval: recording.interval,
    seed: recording.seed,
    started: recording.started,
    ended: recording.ended,
    origin: performance.timeOrigin,
    account: { ...recording.account },
    late: recording.late.slice(),
    lost: [...recording.lost],
    strings: writer.strings,
    frames: writer.frames,
    stacks: writer.stacks,
    samples: { time: samples.times, stack, weight: samples.weights, kind: samples.kinds, skid: samples.skids }
  };
}
var Writer;
var init_raw = __esm({
  "runtime/src/trace/raw.ts"() {
    init_samples2();
    init_trie();
    Writer = class {
      constructor() {
        this.strings = [];
        this.frames = [];
        this.stringIds = /* @__PURE__ */ new Map();
        this.frameIds = /* @__PURE__ */ new Map();
        this.trie = new Trie(
          (stack) => stack.parent,
          (frame) => this.frame(frame)
        );
      }
      stack(stack) {
        return this.trie.of(stack);
      }
      get stacks() {
        const { parents, owners } = this.trie;
        return parents.flatMap((parent, i) => [parent, owners[i]]);
      }
      frame(frame) {
        let id = this.frameIds.get(frame);
        if (id === void 0) {
          this.frameIds.set(frame, id = this.frames.length / 4);
          this.frames.push(this.string(frame.url), this.string(frame.name), frame.line, frame.column);
        }
        return id;
      }
      string(text) {
        let id = this.stringIds.get(text);
        if (id === void 0) {
          this.stringIds.set(text, id = this.strings.length);
          this.strings.push(text);
        }
        return id;
      }
    };
  }
});

// runtime/src/trace.ts
var trace_exports = {};
__export(trace_exports, {
  attend: () => attend,
  cpuprofile: () => cpuprofile,
  raw: () => raw,
  readTablesBy: () => readTablesBy,
  record: () => record,
  recordingOf: () => recordingOf,
  trace: () => trace
});
function trace(session, asUnknown) {
  return traceOf(recordingOf(session), asUnknown);
}
var import_meta2;
var init_trace2 = __esm({
  "runtime/src/trace.ts"() {
    init_place();
    init_reader();
    init_trace();
    init_reader();
    init_cpuprofile();
    init_raw();
    init_tables();
    import_meta2 = {};
    place.base ||= (import_meta2.url || "").replace(/[^/]*$/, "");
  }
});

// runtime/src/index.ts
var index_exports = {};
__export(index_exports, {
  Profiler: () => Profiler,
  install: () => install,
  loadParts: () => loadParts
});
module.exports = __toCommonJS(index_exports);
init_core();
init_parts();

// runtime/src/install.ts
init_parts();

// runtime/src/profiler.ts
init_parts();
init_sampler();
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
      const asked2 = required(options, "sampleInterval");
      if (!isFinite(asked2) || asked2 < 0) throw (isFinite(asked2) ? RangeError : TypeError)("sampleInterval is " + asked2);
      super();
      const { base, clock } = defaults;
      sessions.set(
        this,
        tape.begin({
          interval: Math.ceil(asked2 / base) * base || base,
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

// runtime/src/index.ts
init_parts();
setLoader(() => Promise.resolve().then(() => (init_trace2(), trace_exports)));
