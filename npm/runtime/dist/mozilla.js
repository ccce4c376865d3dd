import {
  attend,
  recordingOf,
  trace_exports
} from "./chunk-EGVESHOI.js";
import {
  newError,
  now,
  setLoader,
  tape
} from "./chunk-OXGTEWU5.js";
import {
  readFrom
} from "./chunk-7A572J3W.js";
import {
  Attribution,
  Functions,
  Origins,
  Trie,
  eachFrame,
  format,
  loaded,
  readTablesBy,
  reader,
  samplesOf,
  tablesOf
} from "./chunk-UHPIY24D.js";
import "./chunk-MI2ED3SV.js";
import {
  checks
} from "./chunk-OL7LCS6D.js";
import "./chunk-MLKGABMK.js";

// runtime/src/statistics.ts
var ERROR = 0.01;
var BUCKETS = 1024;
var BASE = Math.log((1 + ERROR) / (1 - ERROR));
function add(buckets, bucket, count2) {
  buckets.set(bucket, (buckets.get(bucket) || 0) + count2);
}
function widen(buckets, levels) {
  const wide = /* @__PURE__ */ new Map();
  buckets.forEach((count2, bucket) => add(wide, Math.ceil(bucket / 2 ** levels), count2));
  return wide;
}
var Statistics = class {
  constructor() {
    /** Numbers so far. */
    this.count = 0;
    this.sum = 0;
    /** Undefined while there are none. */
    this.min = void 0;
    this.max = void 0;
    this.mean = 0;
    this.squares = 0;
    // of the distances from the mean
    this.level = 0;
    // how often buckets were joined in pairs
    this.zeros = 0;
    this.above = /* @__PURE__ */ new Map();
    // zero
    this.below = /* @__PURE__ */ new Map();
  }
  /** Takes a number; what is no finite number is left out. */
  insert(value) {
    value = Number(value);
    if (!Number.isFinite(value)) return;
    this.count++;
    this.sum += value;
    if (!(value >= this.min)) this.min = value;
    if (!(value <= this.max)) this.max = value;
    const distance = value - this.mean;
    this.mean += distance / this.count;
    this.squares += distance * (value - this.mean);
    if (value === 0) this.zeros++;
    else add(value > 0 ? this.above : this.below, Math.ceil(Math.log(Math.abs(value)) / this.width), 1);
    this.bound();
  }
  /** Takes all that others have taken. */
  merge(other) {
    if (other === this || other.count === 0) return;
    const count2 = this.count + other.count;
    const distance = other.mean - this.mean;
    this.squares += other.squares + distance * distance * this.count * other.count / count2;
    this.mean += distance * other.count / count2;
    this.count = count2;
    this.sum += other.sum;
    if (!(other.min >= this.min)) this.min = other.min;
    if (!(other.max <= this.max)) this.max = other.max;
    this.zeros += other.zeros;
    this.join(other.level - this.level);
    const levels = this.level - other.level;
    widen(other.above, levels).forEach((n, bucket) => add(this.above, bucket, n));
    widen(other.below, levels).forEach((n, bucket) => add(this.below, bucket, n));
    this.bound();
  }
  get average() {
    return this.count ? this.mean : void 0;
  }
  /** Of all numbers (the sum of squares over their count). */
  get variance() {
    return this.count ? this.squares / this.count : void 0;
  }
  /**
   * How far a percentile may be from the true one, as a part of it: 0.01, and
   * more only where the numbers are so far apart that the buckets ran out.
   */
  get error() {
    return Math.tanh(this.width / 2);
  }
  /** The value below which p percent of the numbers lie, 0 to 100. */
  percentile(p) {
    if (!this.count || !(p >= 0 && p <= 100)) return void 0;
    if (p === 0) return this.min;
    let rank = Math.ceil(p / 100 * this.count);
    if (rank >= this.count) return this.max;
    const middle = (bucket) => Math.exp(bucket * this.width) * (1 - this.error);
    const within = (value) => Math.min(Math.max(value, this.min), this.max);
    const sorted = (buckets, sign) => Array.from(buckets).sort((a, b) => sign * (a[0] - b[0]));
    for (const [bucket, n] of sorted(this.below, -1)) if ((rank -= n) <= 0) return within(-middle(bucket));
    if ((rank -= this.zeros) <= 0) return 0;
    for (const [bucket, n] of sorted(this.above, 1)) if ((rank -= n) <= 0) return within(middle(bucket));
    return this.max;
  }
  toJSON() {
    const { count: count2, sum, min, max, average, variance } = this;
    if (!count2) return { count: count2 };
    const [p50, p90, p95, p99] = [50, 90, 95, 99].map((p) => this.percentile(p));
    return { count: count2, sum, min, max, average, variance, p50, p90, p95, p99 };
  }
  /** The width of a bucket, as a logarithm. */
  get width() {
    return BASE * 2 ** this.level;
  }
  /** Joins buckets, 2^levels at a time. */
  join(levels) {
    if (levels <= 0) return;
    this.level += levels;
    this.above = widen(this.above, levels);
    this.below = widen(this.below, levels);
  }
  bound() {
    while (this.above.size + this.below.size > BUCKETS) this.join(1);
  }
};

// runtime/src/mozilla/marks.ts
var STACKS = 1 << 16;
var NAMES = 1 << 10;
var nowhere = { key: null, token: null };
var Marks = class {
  constructor() {
    this.marks = /* @__PURE__ */ new Map();
  }
  /** The object of a stack: the same one for the same stack. */
  frame(here, now2) {
    return this.at(here, now2).data ||= {};
  }
  event(here, now2, name, value) {
    const mark = this.at(here, now2);
    const events = mark.events ||= /* @__PURE__ */ new Map();
    let event = events.get(name);
    if (!event) {
      if (events.size >= NAMES) return;
      events.set(name, event = { count: 0, values: new Statistics() });
    }
    event.count++;
    if (value !== void 0) event.values.insert(value);
  }
  clear() {
    this.marks.clear();
  }
  /** Forgets those that were touched before a time, by the engine's now. */
  forget(before) {
    this.marks.forEach((mark, key) => {
      if (mark.touched < before) this.marks.delete(key);
    });
  }
  get tokens() {
    return Array.from(this.marks.values(), (mark) => mark.token);
  }
  /** In the order of the tokens. */
  get attached() {
    return Array.from(this.marks.values(), ({ data, events }) => {
      const attached = {};
      if (data) attached.data = data;
      if (events) attached.events = summaries(events);
      return attached;
    });
  }
  at(here, now2) {
    const { key, token } = here || nowhere;
    let mark = this.marks.get(key);
    if (mark) this.marks.delete(key);
    else {
      mark = { token, touched: 0 };
      if (this.marks.size >= STACKS) this.marks.delete(this.marks.keys().next().value);
    }
    this.marks.set(key, mark);
    mark.touched = now2;
    return mark;
  }
};
function summaries(events) {
  const all = {};
  events.forEach(({ count: count2, values }, name) => {
    Object.defineProperty(all, name, { value: { ...values.toJSON(), count: count2 }, enumerable: true, configurable: true, writable: true });
  });
  return all;
}

// runtime/src/mozilla/engine.ts
var STACK = 0;
var IDLE = 3;
var PROGRAM = 4;
var GC = 5;

// runtime/src/mozilla/results.ts
function grow(report, root) {
  const nodes = [];
  return function node(stack) {
    if (nodes[stack]) return nodes[stack];
    const call = report.calls[report.frames[stack]];
    const made = { function: { ...call.function }, site: { ...call.site } };
    const caller = report.parents[stack];
    const siblings = caller < 0 ? root : node(caller).children ||= [];
    siblings.push(made);
    return nodes[stack] = made;
  };
}
function makeResults(report, ticks, attached, micros) {
  const results = { samples: 0, gcSamples: 0, micros, children: [] };
  const node = grow(report, results.children);
  for (const { stack, weight, kind } of ticks) {
    if (kind === GC) results.gcSamples += weight;
    else if (kind === IDLE) results.idleSamples = (results.idleSamples || 0) + weight;
    else if (kind === PROGRAM || stack < 0) results.programSamples = (results.programSamples || 0) + weight;
    else {
      const top = node(stack);
      top.selfCount = (top.selfCount || 0) + weight;
      results.samples += weight;
      for (let s = stack; s >= 0; s = report.parents[s]) node(s).samples = (node(s).samples || 0) + weight;
    }
  }
  attached.forEach((what, i) => {
    if (report.marks[i] >= 0) Object.assign(node(report.marks[i]), what);
    else if (what.events) results.events = what.events;
  });
  return results;
}
function makeSamples(report, ticks, started) {
  const stacks = [];
  const spell = (stack) => {
    const calls = [];
    for (let s = stack; s >= 0; s = report.parents[s]) calls.push(report.calls[report.frames[s]]);
    return calls;
  };
  return ticks.filter(({ kind, stack }) => kind === STACK && stack >= 0).map(({ time, weight, stack }) => ({
    micros: Math.max(0, Math.round((time - started) * 1e3)),
    weight,
    stack: stacks[stack] ||= spell(stack)
  }));
}

// runtime/src/mozilla/ticks.ts
function inside(windows) {
  let next = 0;
  return (time) => {
    while (next > 0 && windows[next - 1][1] >= time) next--;
    while (next < windows.length && windows[next][1] < time) next++;
    return next < windows.length && windows[next][0] <= time;
  };
}
function count(report, bounds) {
  const { time, skid, weight, kind, stack } = report.samples;
  const collected = inside(report.pauses);
  const own = inside(bounds.own);
  const ticks = [];
  let total = 0;
  for (let i = 0; i < time.length; i++) {
    let [stays, paused] = [0, 0];
    const allowed = Math.floor((time[i] - bounds.from) / bounds.interval) - total;
    for (let n = 0; n < weight[i] && stays + paused < allowed; n++) {
      const due = time[i] - skid[i] * (1 - n / weight[i]);
      if (due < bounds.from || own(due)) continue;
      if (kind[i] === STACK && collected(due)) paused++;
      else stays++;
    }
    total += stays + paused;
    if (paused) ticks.push({ time: time[i], weight: paused, kind: GC, stack: -1 });
    if (stays) ticks.push({ time: time[i], weight: stays, kind: kind[i], stack: stack[i] });
  }
  return latest(ticks, bounds.max);
}
function latest(ticks, max) {
  let first = ticks.length;
  for (let room = max; first > 0 && room > 0; first--) {
    const tick = ticks[first - 1];
    if (tick.kind !== STACK) continue;
    tick.weight = Math.min(tick.weight, room);
    room -= tick.weight;
  }
  return ticks.slice(first);
}

// runtime/src/mozilla/profiler.ts
var RATE = 1e3;
var UNLIMITED = 1 << 20;
var STRETCHES = 1 << 10;
var State = class {
  constructor(engine2) {
    this.engine = engine2;
    this.active = false;
    this.forced = false;
    // stopped by another profiler
    this.sessions = [];
    this.session = null;
    // the one that runs
    this.interval = 0;
    // ms
    this.least = Infinity;
    // interval since the last reset
    this.max = 0;
    this.maxAge = 0;
    // ms
    this.events = true;
    this.first = NaN;
    // when it was started first since the last reset
    this.since = 0;
    // when it was last started
    this.ran = 0;
    // ms, before that
    this.own = [];
    this.marks = new Marks();
  }
  start(options, rate, max) {
    this.end();
    this.interval = (rate > 0 && rate < Infinity ? rate : RATE) / 1e3;
    this.least = Math.min(this.least, this.interval);
    this.max = max >= 1 && max < UNLIMITED ? Math.floor(max) : UNLIMITED;
    this.maxAge = Number(options.maxAge) > 0 ? Number(options.maxAge) * 1e3 : 0;
    this.events = !!options.events;
    this.active = true;
    this.forced = false;
    this.since = this.engine.now();
    if (!(this.first <= this.since)) this.first = this.since;
    if (!options.time) return;
    this.session = this.engine.start({ interval: this.interval, limit: this.limit, gc: !!options.gc });
    this.sessions.push(this.session);
    if (this.sessions.length > STRETCHES) this.sessions.shift();
  }
  /** Stops what runs; what it gathered stays. */
  end() {
    if (!this.active) return;
    this.active = false;
    this.ran += this.engine.now() - this.since;
    this.session?.stop();
    this.session = null;
  }
  reset() {
    this.sessions = this.session ? [this.session] : [];
    this.session?.clear();
    this.marks.clear();
    this.own = [];
    this.least = this.active ? this.interval : Infinity;
    this.ran = 0;
    this.since = this.engine.now();
    this.first = this.active ? this.since : NaN;
  }
  get micros() {
    const running = this.active ? this.engine.now() - this.since : 0;
    return Math.round((this.ran + running) * 1e3);
  }
  /** Makes something of what was gathered. What falls into it is not the program's. */
  make(shape, tokens) {
    const from = this.engine.now();
    try {
      const report = this.engine.report(this.sessions, tokens);
      const bounds = { from: this.oldest(from), interval: this.least, max: this.max, own: this.own };
      return shape(report, count(report, bounds));
    } finally {
      if (this.own.length >= STRETCHES) this.own.shift();
      this.own.push([from, this.engine.now()]);
    }
  }
  /** Drops what is too old, and says since when what is left may be. */
  oldest(now2) {
    const oldest = this.maxAge ? Math.max(this.first, now2 - this.maxAge) : this.first;
    if (this.maxAge) this.marks.forget(now2 - this.maxAge);
    return oldest;
  }
  /**
   * How many ticks the engine needs to keep. Most may be idle ones, which do not
   * count. No more than these come within maxAge, but with a chance of 1 in 10^9.
   */
  get limit() {
    const enough = Math.min(UNLIMITED, this.max * 20 + 1e3);
    if (!this.maxAge) return enough;
    const expected = this.maxAge / this.interval;
    return Math.min(enough, Math.ceil(expected + 6 * Math.sqrt(expected) + 10));
  }
};
function makeProfiler(engine2) {
  let active = null;
  const states = /* @__PURE__ */ new WeakMap();
  function of(profiler) {
    const state = states.get(profiler);
    if (!state) throw new TypeError("not a Profiler");
    return state;
  }
  function activeOf(profiler) {
    const state = of(profiler);
    if (!state.active) throw new Error(state.forced ? "this Profiler was stopped by another one" : "this Profiler is not active");
    return state;
  }
  function tell({ marks }, here, name, value) {
    try {
      marks.event(here, engine2.now(), String(name), value);
    } catch {
    }
  }
  class Profiler2 {
    static {
      this.Statistics = Statistics;
    }
    constructor(...[options]) {
      const { maxAge = 0, time = true, events = true, gc = true } = options || {};
      this.maxAge = maxAge;
      this.time = time;
      this.events = events;
      this.gc = gc;
      states.set(this, new State(engine2));
    }
    static load() {
      return engine2.load();
    }
    static event(name, value) {
      if (active?.events) tell(active, engine2.here(), name, value);
    }
    start(...[rate, max]) {
      const state = of(this);
      engine2.settle();
      if (active && active !== state) {
        active.end();
        active.forced = true;
      }
      active = state;
      state.start(this, Number(rate), Number(max));
    }
    stop() {
      const state = activeOf(this);
      engine2.settle();
      state.end();
      active = null;
    }
    isProfiling() {
      return of(this).active;
    }
    frame() {
      const { marks } = activeOf(this);
      return marks.frame(engine2.here(), engine2.now());
    }
    event(name, value) {
      const state = of(this);
      if (state.active && state.events) tell(state, engine2.here(), name, value);
    }
    results() {
      const state = of(this);
      if (state.active) engine2.settle();
      const { marks, micros } = state;
      state.oldest(engine2.now());
      return state.make((report, ticks) => makeResults(report, ticks, marks.attached, micros), marks.tokens);
    }
    samples() {
      const state = of(this);
      if (state.active) engine2.settle();
      return state.make((report, ticks) => makeSamples(report, ticks, state.first), []);
    }
    reset() {
      const state = of(this);
      if (state.active) engine2.settle();
      state.reset();
    }
  }
  Object.defineProperty(Profiler2, "name", { value: "Profiler", configurable: true });
  Object.defineProperty(Profiler2.prototype, Symbol.toStringTag, { value: "Profiler", configurable: true });
  return Profiler2;
}

// runtime/src/mozilla/pauses.ts
var most = 1 << 16;
var Pauses = class {
  constructor() {
    this.windows = [];
  }
  start() {
    const { PerformanceObserver } = globalThis;
    if (this.observer || !PerformanceObserver?.supportedEntryTypes?.includes("gc")) return;
    this.observer = new PerformanceObserver((list) => this.add(list.getEntries()));
    this.observer.observe({ entryTypes: ["gc"] });
  }
  /** Those so far, in order. */
  get() {
    if (this.observer) this.add(this.observer.takeRecords());
    return this.windows;
  }
  /** Later: what is over may not have been told yet. */
  stop() {
    const { observer } = this;
    this.observer = void 0;
    if (!observer) return;
    const end = () => {
      this.add(observer.takeRecords());
      if (observer !== this.observer) observer.disconnect();
    };
    setTimeout(end, 100).unref?.();
  }
  add(entries) {
    for (const { startTime, duration } of entries) this.windows.push([startTime, startTime + duration]);
    if (entries.length > 0) this.windows.sort((a, b) => a[0] - b[0]);
    if (this.windows.length > most) this.windows.splice(0, this.windows.length - most);
  }
};

// runtime/src/mozilla/stacks.ts
var topLevel = "<top level>";
var Stacks = class {
  constructor(functions) {
    this.functions = functions;
    this.calls = [];
    this.ids = /* @__PURE__ */ new Map();
    this.trie = new Trie(
      (stack) => functions.callerOf(stack),
      (frame) => functions.of(frame).shown ? this.call(frame) : -1
    );
  }
  get parents() {
    return this.trie.parents;
  }
  get frames() {
    return this.trie.owners;
  }
  /** The index of a stack, without what must not show; -1 when that is all of it. */
  of(stack) {
    return this.trie.of(stack);
  }
  call(frame) {
    const key = keyOf(frame);
    let id = this.ids.get(key);
    if (id === void 0) this.ids.set(key, id = this.calls.push(this.describe(frame)) - 1);
    return id;
  }
  describe(frame) {
    const fn = this.functions.of(frame);
    const name = fn.table && fn.index === 0 ? topLevel : fn.name;
    const at = place(fn.url, fn.line, fn.column);
    if (name) at.name = name;
    return { function: at, site: place(frame.url, frame.line, frame.column) };
  }
};
function place(file, line, column) {
  const at = { file };
  if (line > 0) at.line = line;
  if (line > 0 && column > 0) at.column = column;
  return at;
}
function keyOf({ url, line, column, name }) {
  return `${line}:${column}:${name}
${url}`;
}

// runtime/src/mozilla/page.ts
var kinds = [STACK, STACK, STACK, IDLE, PROGRAM, GC];
var mostScripts = 1e4;
var PageSession = class {
  constructor({ interval, limit, gc }, engine2) {
    this.engine = engine2;
    this.cleared = 0;
    this.session = tape.begin({ interval, limit, ring: true });
    attend();
    if (gc) engine2.pauses.start();
  }
  get started() {
    return Math.max(this.session.started, this.cleared);
  }
  get recording() {
    return recordingOf(this.session);
  }
  stop() {
    this.recording.stop();
    this.engine.pauses.stop();
    this.engine.load().catch(() => {
    });
  }
  clear() {
    this.recording.clear();
    this.cleared = now();
  }
};
var PageEngine = class {
  constructor() {
    this.pauses = new Pauses();
    this.now = now;
    this.scripts = /* @__PURE__ */ new Set();
    this.keys = /* @__PURE__ */ new WeakMap();
  }
  start(settings) {
    return this.latest = new PageSession(settings, this);
  }
  /** Called by the profiler's method, and that by the function it is about. */
  settle() {
    checks.left[1] = 0;
    checks.capture(1, 2);
  }
  here() {
    const capture = { error: newError(), hidden: 3, stack: null };
    format([capture]);
    const { stack } = capture;
    if (!stack) return null;
    eachFrame([stack], ({ url }) => this.meet(url));
    return { key: this.key(stack), token: stack };
  }
  report(sessions, tokens) {
    const marked = tokens;
    const parts = sessions.map((session) => samplesOf(session.recording));
    for (const { stacks: stacks2 } of parts) eachFrame(stacks2, ({ url }) => this.meet(url));
    const functions = new Functions(loaded(this.scripts, /* @__PURE__ */ new Set()), new Origins(), reader.isJSC);
    const attribution = new Attribution(
      (frame) => functions.of(frame),
      (stack) => functions.callerOf(stack)
    );
    const stacks = new Stacks(functions);
    const samples = { time: [], skid: [], weight: [], kind: [], stack: [] };
    for (const part of parts) {
      part.times.forEach((time, i) => {
        const stack = stacks.of(attribution.owner(part.stacks[i], part.kinds[i]));
        const kind = kinds[part.kinds[i]];
        samples.time.push(time);
        samples.skid.push(part.skids[i]);
        samples.weight.push(part.weights[i]);
        samples.kind.push(kind === STACK && stack < 0 ? PROGRAM : kind);
        samples.stack.push(stack);
      });
    }
    const marks = marked.map((stack) => stacks.of(stack));
    const { calls, parents, frames } = stacks;
    return { calls, parents, frames, samples, pauses: this.pauses.get(), marks };
  }
  /** Loads the tables of the scripts that stacks have shown so far. */
  async load() {
    const { latest: latest2, scripts } = this;
    if (latest2) eachFrame(samplesOf(latest2.recording).stacks, ({ url }) => this.meet(url));
    const origins = new Origins();
    await tablesOf(
      [...scripts].filter((url) => origins.asks(url, false)),
      /* @__PURE__ */ new Set()
    );
  }
  meet(url) {
    if (this.scripts.size < mostScripts) this.scripts.add(url);
  }
  /** Equal stacks may come as different objects, in time. */
  key(stack) {
    let key = this.keys.get(stack);
    if (key === void 0) {
      key = "";
      for (let at = stack; at; at = at.parent) key += keyOf(at.frame) + "\n";
      this.keys.set(stack, key);
    }
    return key;
  }
};
var engine = new PageEngine();

// runtime/src/mozilla.ts
var files = globalThis.process?.getBuiltinModule?.("fs/promises");
if (files) readTablesBy(readFrom(files));
setLoader(async () => trace_exports);
var Profiler = makeProfiler(engine);
export {
  Profiler,
  Statistics
};
