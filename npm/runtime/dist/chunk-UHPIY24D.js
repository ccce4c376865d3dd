import {
  Program
} from "./chunk-MI2ED3SV.js";
import {
  checks
} from "./chunk-OL7LCS6D.js";

// runtime/src/trace/place.ts
var evaluated = " > eval";
var longest = 2e3;
var atEnd = /^([^]*?):(\d{1,9}):(\d{1,9})$/;
var lineAtEnd = /^([^]*\D):(\d{1,9})$/;
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

// runtime/src/trace/table.ts
var Method = 4;
var Constructor = 7;
var Initializer = 8;
var sitesShift = 4;
var filledFirstBit = 1 << 7;
var inferredBit = 1 << 8;
var originalBit = 1 << 9;
var headEnd = 1 << 10;
var largest = 2 ** 31 - 1;
var Table = class {
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
  behind(place3, line, column) {
    const at = this.places[place3];
    return line < at || line === at && column < this.places[place3 + 1];
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
function decode(text) {
  const wire = JSON.parse(text);
  if (typeof wire !== "object" || wire === null) throw new Error("it is no object");
  if (wire.version !== 1) throw new Error("its version is not supported, only 1");
  const { strings, functions } = wire;
  if (!Array.isArray(strings) || !strings.every((s) => typeof s === "string")) throw new Error("its strings are none");
  if (!Array.isArray(functions)) throw new Error("it has no functions");
  return new Decoder(strings, functions).table();
}
var Decoder = class {
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
    let source = [0, 0];
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
        this.position(source[0], source[1]);
        source = [this.line, this.column];
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

// runtime/src/trace/tables.ts
var largestTable = 64 << 20;
var patience = 5e3;
var most = 1e3;
var suffix = ".functions.json";
var read = readByFetch;
function readTablesBy(reader2) {
  read = reader2;
}
function tableURL(script) {
  if (script.endsWith(evaluated)) return null;
  if (/^(?:https?|file):\/\//i.test(script)) {
    const path = script.replace(/[?#].*/, "");
    return (path.endsWith("/") ? path + "index.html" : path) + suffix;
  }
  const isPath = /^(?:\/|[A-Za-z]:\\|\\\\)/.test(script);
  return isPath && read !== readByFetch ? script + suffix : null;
}
var known = /* @__PURE__ */ new Map();
async function tablesOf(scripts, lost) {
  const asked2 = [...new Set(scripts)].slice(0, most);
  const missing = asked2.filter((script) => !known.has(script));
  if (missing.length > 0 && !checks.hurry) await load(missing);
  return loaded(asked2, lost);
}
function loaded(scripts, lost) {
  const found = /* @__PURE__ */ new Map();
  for (const script of scripts) {
    const table = known.get(script) ?? "not loaded in time";
    if (typeof table === "string") lost.add(`${script}: ${table}: its functions have the engine's names`);
    else found.set(script, table);
  }
  return found;
}
async function load(scripts) {
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
    const text = url && await read(url, signal);
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

// runtime/src/trace/attribute.ts
var Attribution = class {
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

// runtime/src/trace/v8.ts
var place = /^(?:eval at |<anonymous>|native\b|index \d|[a-z][\w+.-]*:|\/|[A-Za-z]:\\|\\\\|\.{0,2}\/)/i;
var v8 = {
  lines(stack, error) {
    const header = headerOf(error);
    if (header && stack.startsWith(header)) stack = stack.slice(header.length);
    return stack.split("\n").filter((line) => line.startsWith("    at "));
  },
  read(line) {
    const text = line.slice("    at ".length);
    if (text.startsWith("async ")) return "async";
    const [name, where] = parts(text);
    return read2(where, bareName(name));
  }
};
function headerOf(error) {
  try {
    return error.message ? `${error.name}: ${error.message}` : "";
  } catch {
    return "";
  }
}
function parts(text) {
  if (!text.endsWith(")")) return ["", text];
  let first = -1;
  for (let at = text.indexOf(" ("); at >= 0; at = text.indexOf(" (", at + 1)) {
    if (first < 0) first = at;
    if (place.test(text.slice(at + 2, at + 40))) {
      first = at;
      break;
    }
  }
  return first < 0 ? ["", ""] : [text.slice(0, first), text.slice(first + 2, -1)];
}
function read2(where, name) {
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

// runtime/src/trace/callsites.ts
var hook = "prepareStackTrace";
var { Error: loaded2 } = globalThis;
var { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, isExtensible } = Object;
function holders(error) {
  const found = /* @__PURE__ */ new Set([globalThis.Error, loaded2]);
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
function reading(first, run) {
  let sites;
  const ours2 = (_, frames) => (sites = frames, "");
  const undo = [];
  let safe = true;
  try {
    for (const holder of holders(first)) {
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

// runtime/src/trace/intern.ts
var KnownFrame = class {
  constructor(url, line, column, name, startLine = 0, startColumn = 0) {
    this.url = url;
    this.line = line;
    this.column = column;
    this.name = name;
    this.startLine = startLine;
    this.startColumn = startColumn;
  }
};
var Node = class {
  constructor(frame, parent) {
    this.frame = frame;
    this.parent = parent;
    this.children = null;
  }
};
var most2 = 5e4;
var mostText = 4e6;
var Tables = class _Tables {
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
    if (this.nodes > most2) {
      this.roots = /* @__PURE__ */ new Map();
      this.stacks = /* @__PURE__ */ new Map();
      this.nodes = 0;
    }
    if (this.frames.size > most2 || this.text > mostText) Object.assign(this, new _Tables());
  }
  /** Makes room in the account of remembered texts. */
  remember(text) {
    this.text += text.length;
  }
  frame(place3, startLine, startColumn) {
    const key = `${place3.line}:${place3.column}:${place3.name}
${place3.url}`;
    let frame = this.frames.get(key);
    if (!frame) {
      frame = new KnownFrame(place3.url, place3.line, place3.column, place3.name, startLine, startColumn);
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

// runtime/src/trace/spidermonkey.ts
var place2 = /^(?:[a-z][\w+.-]*:|\/|\[|<|self-hosted|debugger eval)/i;
var spidermonkey = {
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
function nameEnd(line) {
  let first = -1;
  for (let at = line.indexOf("@"); at >= 0; at = line.indexOf("@", at + 1)) {
    if (first < 0) first = at;
    if (place2.test(line.slice(at + 1, at + 40))) return at;
  }
  return first;
}

// runtime/src/trace/jsc.ts
var bare = /^(?:[a-z][\w+.-]*:\/|(?:blob|data|node|about):)/i;
var topLevel = /^(?:global|module|eval) code$/;
var jsc = {
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

// runtime/src/trace/format.ts
var tables = new Tables();
var reader = {
  /** Whether this is JavaScriptCore, which has two frames for a running async function. */
  isJSC: false,
  /** Stacks that could not be read without calling the page's prepareStackTrace. */
  refused: 0
};
function format(captures, until) {
  const pending = captures.filter((capture) => capture?.error);
  if (pending.length === 0) return;
  let done = 0;
  try {
    reading(pending[0].error, (read3) => {
      do {
        tables.renew();
        const capture = pending[done++];
        capture.stack = stackOf(capture.error, capture.hidden, read3);
        capture.error = null;
      } while (done < pending.length && !until?.());
    });
  } catch {
    for (const capture of pending) capture.error = null;
    reader.refused += pending.length;
  }
}
function stackOf(error, hidden, read3) {
  try {
    const found = read3(error);
    if (found === void 0) reader.refused++;
    if (!found) return null;
    return typeof found === "string" ? fromText(found, error, hidden) : fromSites(found, hidden);
  } catch {
    return null;
  }
}
var buffer = [];
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

// runtime/src/trace/origins.ts
var ours = /^(?:runtime|module|checks|trace|coordinator|register|mozilla|statistics|send|performance|profiler|index)\.[cm]?js$/;
var folder = /^(.*\/)trace\.[cm]?js(?:[?#].*)?$/.exec(import.meta.url || "")?.[1];
function isOurs(url) {
  return !!folder && url.startsWith(folder) && ours.test(url.slice(folder.length).replace(/[?#].*/, ""));
}
var Origins = class {
  constructor() {
    this.seen = /* @__PURE__ */ new Map();
    const place3 = globalThis.location;
    this.isAll = !place3;
    this.page = bare2(String(place3?.href));
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
function hasCORS(url) {
  const elements = globalThis.document ? Array.from(document.scripts).filter((script) => isOf(script, url)) : [];
  if (elements.length > 0) return elements.every((script) => script.crossOrigin !== null || script.type === "module");
  if (isModuleWorker()) return true;
  const loads = timings(url);
  return loads.length > 0 && loads.every((load2) => (load2.responseStatus || 0) > 0);
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
  return loads.length > 0 && loads.every((load2) => load2.responseStatus === 0 && load2.requestStart === 0);
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

// runtime/src/trace/functions.ts
var Arrow = 3;
var Functions = class {
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

// runtime/src/trace/trie.ts
var Trie = class {
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

// runtime/src/trace/attributed.ts
var unknown = { name: "unknown", url: "", line: 0, column: 0, checked: false, filledFirst: false, shown: true, table: null, index: -1 };
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
var Owners = class {
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

// runtime/src/trace/trace.ts
var kindNames = ["entry", "loop", "exit", "idle", "program", "gc"];
var most3 = 4e6;
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

// runtime/src/trace/cpuprofile.ts
var most4 = 4e6;
var pseudo = { 3: "(idle)", 4: "(program)", 5: "(garbage collector)" };
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
var Tree = class {
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
function named2(functionName) {
  return { functionName, scriptId: "0", url: "", lineNumber: -1, columnNumber: -1 };
}

export {
  reader,
  format,
  Attribution,
  Origins,
  Functions,
  samplesOf,
  eachFrame,
  largestTable,
  readTablesBy,
  tablesOf,
  loaded,
  Trie,
  traceOf,
  cpuprofile
};
