import "./chunk-MLKGABMK.js";

// runtime/src/send/routes.ts
function matcher(path) {
  const pattern = typeof path === "string" ? glob(path) : new RegExp(path.source, path.flags.replace(/[gy]/g, ""));
  return (at) => pattern.test(at);
}
function glob(text) {
  const source = text.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    return part.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}
var lookEvery = 1e3;
function follow(changed) {
  const { navigation, addEventListener, removeEventListener, setInterval, clearInterval } = globalThis;
  if (navigation?.addEventListener) {
    navigation.addEventListener("currententrychange", changed);
    return () => navigation.removeEventListener("currententrychange", changed);
  }
  if (!globalThis.document) return () => {
  };
  addEventListener?.("popstate", changed);
  const timer = setInterval(changed, lookEvery);
  timer.unref?.();
  return () => {
    removeEventListener?.("popstate", changed);
    clearInterval(timer);
  };
}

// runtime/src/send/options.ts
function number(value, otherwise, least, most) {
  return typeof value === "number" && value >= least ? Math.min(value, most) : otherwise;
}
function settle(options) {
  const url = new URL(String(options.url), globalThis.location?.href);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`url is ${url.protocol}, not http`);
  const sameOrigin = url.origin === globalThis.location?.origin;
  const { consent = true, routes = [], transform, release, headers, onnote } = options;
  const everywhere = number(options.sampleRate, options.sampleRate === void 0 ? 1 : 0, 0, 1);
  const rules = routes.map(({ path, sampleRate, name }) => ({
    fits: matcher(path),
    rate: number(sampleRate, 0, 0, 1),
    route: name || String(path)
  }));
  return {
    url,
    rateOf: (path) => rules.find(({ fits }) => fits(path)) || { rate: everywhere },
    highest: Math.max(everywhere, ...rules.map(({ rate }) => rate)),
    seed: String(options.seed ?? ""),
    sampleInterval: number(options.sampleInterval, 10, 0, 1e6),
    chunk: number(options.chunk, 6e4, 100, 2 ** 31 - 1),
    maxBytes: number(options.maxBytes, 1 << 20, 1e3, Infinity),
    maxSessionBytes: number(options.maxSessionBytes, 16 << 20, 0, Infinity),
    maxQueue: number(options.maxQueue, 10, 1, 1e3),
    consent: typeof consent === "function" ? consent : () => consent,
    release,
    page: options.page || ((location2) => location2.origin + location2.pathname),
    transform,
    headers,
    credentials: options.credentials || "same-origin",
    sameOrigin,
    compress: options.compress ?? sameOrigin,
    note(text) {
      try {
        onnote?.(text);
      } catch {
      }
    }
  };
}

// runtime/src/send/envelope.ts
var { TextEncoder } = globalThis;
function write(envelope) {
  const text = JSON.stringify(envelope);
  return { text, bytes: new TextEncoder().encode(text).length };
}
function pack(envelope, maxBytes) {
  const whole = write(envelope);
  if (whole.bytes <= maxBytes) return { letters: [whole], dropped: 0 };
  const parts = [];
  let dropped = 0;
  const room = 60 + JSON.stringify(envelope.notes || 0).length;
  const halve = (trace) => {
    const count = trace.samples.length;
    if (write({ ...envelope, notes: void 0, trace }).bytes + room <= maxBytes) return parts.push(trace);
    if (count < 2) return dropped += count;
    halve(slice(trace, 0, count >> 1));
    halve(slice(trace, count >> 1, count));
  };
  halve(envelope.trace);
  const letters = parts.map((trace, part) => write({ ...envelope, notes: part ? void 0 : envelope.notes, part, parts: parts.length, trace }));
  return { letters, dropped };
}
function slice(trace, from, to) {
  const samples = trace.samples.slice(from, to);
  const used = /* @__PURE__ */ new Set();
  for (const { stackId } of samples) {
    for (let id = stackId; id !== void 0 && !used.has(id); id = trace.stacks[id]?.parentId) used.add(id);
  }
  const stacks = renumber(trace.stacks, used);
  const frames = renumber(trace.frames, new Set(stacks.kept.map((stack) => stack.frameId)));
  const resources = renumber(trace.resources, new Set(frames.kept.map((frame) => frame.resourceId)));
  const at = (name, numbers, id) => id === void 0 ? {} : { [name]: numbers.get(id) };
  return {
    ...trace,
    resources: resources.kept,
    frames: frames.kept.map((frame) => ({ ...frame, ...at("resourceId", resources.numbers, frame.resourceId) })),
    stacks: stacks.kept.map((stack) => ({ ...at("parentId", stacks.numbers, stack.parentId), frameId: frames.numbers.get(stack.frameId) })),
    samples: samples.map((sample) => ({ ...sample, ...at("stackId", stacks.numbers, sample.stackId) }))
  };
}
function renumber(list, used) {
  const kept = [];
  const numbers = /* @__PURE__ */ new Map();
  list.forEach((item, i) => {
    if (used.has(i)) numbers.set(i, kept.push(item) - 1);
  });
  return { kept, numbers };
}

// runtime/src/send/presence.ts
function isShown() {
  const { document } = globalThis;
  return !document || document.visibilityState !== "hidden";
}
function watch({ leave, come }) {
  const { document, addEventListener, removeEventListener } = globalThis;
  if (!document || !addEventListener) return () => {
  };
  const turn = () => isShown() ? come() : leave();
  const returned = (event) => {
    if (event.persisted) turn();
  };
  document.addEventListener("visibilitychange", turn, true);
  document.addEventListener("freeze", leave, true);
  addEventListener("pagehide", leave, true);
  addEventListener("pageshow", returned, true);
  return () => {
    document.removeEventListener("visibilitychange", turn, true);
    document.removeEventListener("freeze", leave, true);
    removeEventListener("pagehide", leave, true);
    removeEventListener("pageshow", returned, true);
  };
}
var connection = globalThis.navigator?.connection;
function isDear() {
  return !!connection && (connection.saveData === true || /2g$/.test(String(connection.effectiveType)));
}
function watchNetwork(changed, back) {
  connection?.addEventListener?.("change", changed);
  globalThis.addEventListener?.("online", back);
  return () => {
    connection?.removeEventListener?.("change", changed);
    globalThis.removeEventListener?.("online", back);
  };
}

// runtime/src/send/queue.ts
var tries = 6;
var shortest = 1e3;
var longest = 3e5;
var { setTimeout, clearTimeout } = globalThis;
var Queue = class {
  constructor(most, ways) {
    this.most = most;
    this.ways = ways;
    this.waiting = [];
    this.busy = false;
    this.idle = [];
  }
  add(letter) {
    this.waiting.push({ letter, tried: 0 });
    if (this.waiting.length > this.most) {
      this.waiting.splice(this.busy ? 1 : 0, 1);
      this.ways.note(`more than ${this.most} requests wait: the oldest was dropped`);
    }
    if (!this.timer) this.next();
  }
  /** Resolves when nothing is left. */
  empty() {
    return new Promise((resolve) => {
      if (this.waiting.length === 0) resolve();
      else this.idle.push(resolve);
    });
  }
  /** Tries at once, however long it was to wait: the network is back. */
  wake() {
    clearTimeout(this.timer);
    this.timer = void 0;
    this.next();
  }
  async next() {
    if (this.busy) return;
    this.busy = true;
    while (this.waiting.length > 0 && !this.timer) await this.step();
    this.busy = false;
    this.rest();
  }
  async step() {
    const first = this.waiting[0];
    if (!await this.ways.allowed()) {
      if (this.waiting.length > 0) this.ways.note("what waits was dropped: it may not be sent");
      this.waiting.length = 0;
      return;
    }
    if (this.waiting[0] !== first) return;
    if (globalThis.navigator?.onLine === false) return this.sleep(longest);
    const outcome = await this.ways.post(first.letter);
    if (this.waiting[0] !== first) return;
    if (outcome.done || !this.again(first, outcome)) this.waiting.shift();
  }
  again(first, { again, wait, why }) {
    first.tried++;
    if (!again || first.tried >= tries) {
      this.ways.note(`a request was dropped: ${why}`);
      return false;
    }
    const most = Math.min(longest, shortest * 2 ** (first.tried - 1));
    const own = most * (0.5 + Math.random() / 2);
    this.sleep(wait === void 0 ? own : wait + (own - most / 2));
    return true;
  }
  sleep(wait) {
    this.timer = setTimeout(() => this.wake(), wait);
    this.timer.unref?.();
  }
  rest() {
    if (this.waiting.length > 0) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }
};

// runtime/src/send/transport.ts
var lastBytes = 48 << 10;
var smallBytes = 16 << 10;
var patience = 3e4;
var longestWait = 36e5;
var { fetch, Blob, Response, CompressionStream, AbortController, setTimeout: setTimeout2, clearTimeout: clearTimeout2 } = globalThis;
var sendBeacon = globalThis.navigator?.sendBeacon?.bind(navigator);
function contentType({ sameOrigin, headers }) {
  return sameOrigin || headers ? "application/json" : "text/plain;charset=UTF-8";
}
async function gzip(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(stream).blob();
}
async function post({ text, bytes }, settings) {
  const headers = { "Content-Type": contentType(settings), ...settings.headers };
  const stop = new AbortController();
  const timer = setTimeout2(() => stop.abort(), patience);
  try {
    let body = text;
    if (settings.compress && CompressionStream) {
      body = await gzip(text);
      bytes = body.size;
      headers["Content-Encoding"] = "gzip";
    }
    const { url, credentials } = settings;
    const response = await fetch(url, { method: "POST", body, headers, credentials, keepalive: bytes <= smallBytes, signal: stop.signal });
    await response.arrayBuffer();
    return judge(response);
  } catch (error) {
    return { done: false, again: true, why: String(error).slice(0, 200) };
  } finally {
    clearTimeout2(timer);
  }
}
function judge({ ok, status, headers }) {
  if (ok) return { done: true };
  const again = status === 408 || status === 425 || status === 429 || status >= 500;
  return { done: false, again, wait: retryAfter(headers.get("Retry-After")), why: `the server says ${status}` };
}
function retryAfter(text) {
  if (!text) return void 0;
  const wait = /^\s*\d+\s*$/.test(text) ? +text * 1e3 : Date.parse(text) - Date.now();
  return wait >= 0 ? Math.min(wait, longestWait) : void 0;
}
function postLast(letter, settings) {
  const { url, headers, credentials, sameOrigin } = settings;
  if (letter.bytes > lastBytes) return false;
  if (sendBeacon && !headers && (sameOrigin ? credentials !== "omit" : credentials === "include")) {
    return sendBeacon(url, new Blob([letter.text], { type: contentType(settings) }));
  }
  fetch(url, {
    method: "POST",
    body: letter.text,
    headers: { "Content-Type": contentType(settings), ...headers },
    credentials,
    keepalive: true
  }).catch(() => {
  });
  return true;
}

// runtime/src/send/sender.ts
var firstChunk = 5e3;
var shortestPage = 5e3;
var { setTimeout: setTimeout3, clearTimeout: clearTimeout3, performance, location } = globalThis;
var Sender = class {
  constructor(settings, session) {
    this.settings = settings;
    this.session = session;
    this.chunk = null;
    this.chunks = 0;
    this.finishing = /* @__PURE__ */ new Set();
    this.asking = false;
    this.ended = false;
    this.full = false;
    // the session's bytes are used up
    this.notes = [];
    this.unwatch = [];
    // --- the page goes and comes -------------------------------------------------
    this.leaving = false;
    this.queue = new Queue(settings.maxQueue, {
      allowed: () => this.allowed(),
      post: (letter) => post(letter, settings),
      note: (text) => this.note(text)
    });
  }
  /** Begins to follow the page, if any of its routes may be profiled. */
  start() {
    if (this.session.draw >= this.settings.highest) return;
    const update = () => this.update();
    this.unwatch = [
      watch({ leave: () => this.leave(), come: () => this.come() }),
      watchNetwork(update, () => this.queue.wake()),
      follow(update)
    ];
    this.update();
  }
  /** Starts or ends profiling, as things are now. */
  update() {
    const { rate, route } = this.settings.rateOf(location.pathname);
    if (this.ended || this.full || this.session.draw >= rate || !isShown() || isDear()) return this.finish();
    if (!this.chunk) return void this.begin(route);
    const { envelope, began } = this.chunk;
    const moved = envelope.page !== this.page() && performance.now() - began >= shortestPage;
    if (envelope.route !== route || moved) this.next();
  }
  get active() {
    return this.chunk !== null;
  }
  /** Sends what there is, and resolves when it is sent or dropped. */
  async flush() {
    this.next();
    await Promise.all(this.finishing);
    await this.queue.empty();
  }
  /** Ends it. */
  async stop() {
    this.ended = true;
    for (const unwatch of this.unwatch.splice(0)) unwatch();
    this.finish();
    await this.flush();
  }
  // --- chunks ----------------------------------------------------------------
  async begin(route) {
    if (this.asking) return;
    this.asking = true;
    const yes = await this.consents();
    this.asking = false;
    if (!yes || this.ended || this.chunk || !isShown()) return;
    this.session.save();
    this.chunk = this.record(route);
  }
  /** Ends the chunk behind the start of the next one, so that nothing falls between. */
  next() {
    const { chunk } = this;
    if (!chunk) return;
    this.chunk = null;
    const { rate, route } = this.settings.rateOf(location.pathname);
    if (!this.ended && !this.full && this.session.draw < rate && isShown()) this.chunk = this.record(route);
    this.close(chunk);
  }
  finish() {
    const { chunk } = this;
    this.chunk = null;
    if (chunk) this.close(chunk);
  }
  record(route) {
    const { sampleInterval, chunk: length, release } = this.settings;
    const { Profiler } = globalThis;
    try {
      if (!Profiler) throw new Error("there is no Profiler: load runtime.js before");
      const room = Math.ceil(length / (sampleInterval || 10) * 1.1) + 10;
      const profiler = new Profiler({ sampleInterval, maxBufferSize: room });
      const next = () => {
        if (this.chunk?.profiler === profiler) this.next();
      };
      profiler.addEventListener("samplebufferfull", next);
      const { id: session, view } = this.session;
      const number2 = this.chunks++;
      return {
        profiler,
        began: performance.now(),
        envelope: {
          version: 1,
          session,
          view,
          page: this.page(),
          route,
          release,
          chunk: number2,
          started: Date.now(),
          origin: performance.timeOrigin
        },
        timer: setTimeout3(next, number2 === 0 ? Math.min(length, firstChunk) : length)
      };
    } catch (error) {
      this.ended = true;
      this.note(`no profile: ${error}`);
      return null;
    }
  }
  page() {
    try {
      return String(this.settings.page(location));
    } catch {
      return "";
    }
  }
  close(chunk) {
    clearTimeout3(chunk.timer);
    const closing = this.submit(chunk).catch((error) => this.note(`chunk ${chunk.envelope.chunk} was dropped: ${error}`)).finally(() => this.finishing.delete(closing));
    this.finishing.add(closing);
  }
  // --- sending ---------------------------------------------------------------
  // Between the stop and the sending there may be no wait for anything but
  // promises that are resolved: a page that goes runs what is due, and no more.
  async submit({ profiler, envelope }) {
    let trace = await profiler.stop();
    if (!trace.samples.some((sample) => sample.stackId !== void 0)) return;
    if (!await this.allowed()) return this.note(`chunk ${envelope.chunk} was dropped: it may not be sent`);
    const { transform, maxBytes } = this.settings;
    if (transform) trace = await transform(trace, { ...envelope, trace });
    if (!trace) return;
    const notes = this.notes.splice(0);
    const whole = { ...envelope, notes: notes.length ? notes : void 0, trace };
    const { letters, dropped } = pack(whole, isShown() && !this.leaving ? maxBytes : Math.min(maxBytes, lastBytes));
    if (dropped) this.note(`${dropped} samples of chunk ${envelope.chunk} were dropped: too large`);
    this.send(letters);
  }
  send(letters) {
    const affordable = letters.filter((letter) => this.pay(letter));
    if (affordable.length < letters.length) this.note("the session has sent as much as it may");
    const last = this.leaving ? affordable.pop() : void 0;
    if (last && !postLast(last, this.settings)) affordable.push(last);
    for (const letter of affordable) this.queue.add(letter);
  }
  pay({ bytes }) {
    const { session } = this;
    this.full ||= session.bytes + bytes > this.settings.maxSessionBytes;
    if (this.full) return false;
    session.bytes += bytes;
    session.save();
    return true;
  }
  async allowed() {
    if (isDear()) return false;
    if (await this.consents()) return true;
    this.finish();
    return false;
  }
  async consents() {
    try {
      return await this.settings.consent() === true;
    } catch {
      return false;
    }
  }
  note(text) {
    if (this.notes.length < 20) this.notes.push(text);
    this.settings.note(text);
  }
  leave() {
    this.leaving = true;
    hurry(true);
    this.finish();
  }
  come() {
    this.leaving = false;
    hurry(false);
    this.update();
  }
};
function hurry(on) {
  const { __fieldprof } = globalThis;
  if (__fieldprof) __fieldprof.hurry = on;
}

// runtime/src/send/session.ts
var key = "fieldprof.session";
function openSession(seed) {
  const kept = load();
  const session = {
    id: kept?.id || makeID(),
    view: makeID(),
    draw: 0,
    bytes: kept?.bytes || 0,
    save() {
      try {
        sessionStorage.setItem(key, JSON.stringify({ id: session.id, bytes: session.bytes }));
      } catch {
      }
    }
  };
  return Object.assign(session, { draw: hash(`${seed}
${session.id}`) / 2 ** 32 });
}
function load() {
  try {
    const { id, bytes } = JSON.parse(sessionStorage.getItem(key));
    if (/^[\w-]{8,64}$/.test(id)) return { id, bytes: bytes >= 0 ? +bytes : 0 };
  } catch {
  }
  return void 0;
}
function makeID() {
  const words = new Uint32Array(4);
  try {
    crypto.getRandomValues(words);
  } catch {
    words.forEach((_, i) => words[i] = Math.random() * 2 ** 32);
  }
  return Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
}
function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h = Math.imul(h ^ h >>> 16, 2246822507);
  h = Math.imul(h ^ h >>> 13, 3266489909);
  return (h ^ h >>> 16) >>> 0;
}

// runtime/src/send.ts
function send(options) {
  try {
    const settings = settle(options);
    const session = openSession(settings.seed);
    const sender = new Sender(settings, session);
    sender.start();
    return {
      session: session.id,
      get active() {
        return sender.active;
      },
      update: () => sender.update(),
      flush: () => sender.flush().catch(() => {
      }),
      stop: () => sender.stop().catch(() => {
      })
    };
  } catch (error) {
    try {
      options.onnote?.(`nothing is sent: ${error}`);
    } catch {
    }
    const nothing = async () => {
    };
    return { session: "", active: false, update() {
    }, flush: nothing, stop: nothing };
  }
}
export {
  send
};
