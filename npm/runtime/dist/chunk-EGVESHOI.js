import {
  now,
  tape
} from "./chunk-OXGTEWU5.js";
import {
  Trie,
  cpuprofile,
  format,
  readTablesBy,
  samplesOf,
  traceOf
} from "./chunk-UHPIY24D.js";
import {
  Idle,
  Program
} from "./chunk-MI2ED3SV.js";
import {
  checks
} from "./chunk-OL7LCS6D.js";
import {
  __export
} from "./chunk-MLKGABMK.js";

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

// runtime/src/place.ts
var place = { base: "" };

// runtime/src/board.ts
var word = {
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
var ring = 64;
var Board = class {
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

// runtime/src/coordinator.text.ts
var source = '(()=>{var t={State:0,Ping:1,Raised:2,Interval:2,Due:3,Missed:4,Late:5},b=64,l=class{constructor(e=new SharedArrayBuffer(8*(t.Late+b))){this.memory=e;this.words=new Int32Array(e),this.numbers=new Float64Array(e)}get interval(){return this.numbers[t.Interval]}set interval(e){this.numbers[t.Interval]=e}get due(){return this.numbers[t.Due]}set due(e){this.numbers[t.Due]=e}get missed(){return this.numbers[t.Missed]}set missed(e){this.numbers[t.Missed]=e}late(e,r){this.numbers[t.Late+e%b]=r}lates(){return[...this.numbers.subarray(t.Late,t.Late+Math.min(b,this.words[t.Raised]))]}};var d=class{constructor(e,r){this.interval=e;this.state=r;this.deadline=1/0}begin(e){this.deadline=e+this.gap()}pass(e){let r=0,n=(e-this.deadline)/this.interval;for(n>1e3&&(r=Math.floor(n),this.deadline+=r*this.interval),n<-100&&this.begin(e);this.deadline<=e;)r++,this.deadline+=this.gap();return r}gap(){return this.interval*(.0625-(1-.0625)*Math.log(1-this.random()))}random(){let e=(this.state+=2654435769)|0;return e=Math.imul(e^e>>>16,569420461),e=Math.imul(e^e>>>15,1935289751),((e^e>>>15)>>>0)/2**32}};function p({flag:s,memory:e,seed:r},n){let a=new l(e),{words:i}=a,m=()=>performance.timeOrigin+performance.now(),u=0,o=new d(1,r);for(n(t.State);;){let c=Atomics.load(i,t.State);if(c<0)return;c!==u&&(u=c,o=new d(a.interval,r++),o.begin(m()));let f=u&1,h=o.deadline-m();if(!f||h>0){Atomics.wait(i,t.State,u,f?h:1/0);continue}let w=o.deadline,v=o.pass(m());a.late(i[t.Raised],-h),Atomics.load(s,0)===0&&(a.due=w),Atomics.add(s,0,1),Atomics.add(i,t.Raised,1),a.missed+=v-1,Atomics.exchange(i,t.Ping,1)===0&&n(t.Ping)}}var g=globalThis.process?.getBuiltinModule?.("worker_threads");g?p(g.workerData,s=>g.parentPort.postMessage(s)):onmessage=s=>p(s.data,e=>postMessage(e));})();';

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
var Coordinator = class {
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

// runtime/src/recording.ts
var Recording = class {
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

// runtime/src/shared.ts
var slowPing = 4;
var Shared = class {
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

// runtime/src/reader.ts
var watchEvery = 500;
var slice = 4;
var { requestIdleCallback, setTimeout: setTimeout2, document } = globalThis;
var poll = tape.source;
var shared;
var coordinator;
var broken = "";
var attending = false;
var silent = 0;
function record(settings) {
  const recording = recordingOf(tape.begin(settings));
  attend();
  return recording;
}
var first = tape.reader ||= { attend: attendHere, recordingOf: recordingHere };
function recordingOf(session) {
  return first.recordingOf(session);
}
function recordingHere(session) {
  return session.recording ||= new Recording(session, tapeOf);
}
var tapeOf = {
  end: (session) => tape.end(session),
  read() {
    tape.source.settle();
    read();
  }
};
function read(enough) {
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
  read(() => --left <= 0);
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
  document?.addEventListener("visibilitychange", follow);
  follow();
  silent = 0;
  watch();
  readSome();
}
function readSome() {
  const began = now();
  read(() => now() - began > slice);
  if (!attending) return;
  if (requestIdleCallback) requestIdleCallback(readSome, { timeout: 1e3 });
  else idly(readSome, 100);
}
function follow() {
  tape.paused = !!document && document.hidden;
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
  document?.removeEventListener("visibilitychange", follow);
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
  if (!document && "InternalError" in globalThis) broken = "in Firefox it is not safe to start a worker in a worker";
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
var Writer = class {
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

// runtime/src/trace.ts
place.base ||= (import.meta.url || "").replace(/[^/]*$/, "");
function trace(session, asUnknown) {
  return traceOf(recordingOf(session), asUnknown);
}

export {
  record,
  recordingOf,
  attend,
  raw,
  trace,
  trace_exports
};
