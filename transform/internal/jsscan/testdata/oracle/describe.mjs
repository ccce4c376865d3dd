// The structure of a source from acorn's tree, defined as script.go defines it but found in acorn's way: by walking
// nodes. Nothing here looks at tokens, except for the parentheses of parameters, which acorn does not keep.

import { ByName, naming, unwrap } from "./byname.mjs";

const namespaces = new Set(["Math", "Date", "JSON", "Array", "Number", "Object", "String", "Symbol", "BigInt",
  "Reflect", "Atomics", "performance"]);
const callers = new Set(["apply", "construct", "from", "fromAsync", "groupBy", "fromEntries"]);
const loopKinds = { ForStatement: "for", ForInStatement: "for-in", ForOfStatement: "for-of", WhileStatement: "while",
  DoWhileStatement: "do-while" };
const uncounted = new Set(["BlockStatement", "EmptyStatement", "LabeledStatement", "FunctionDeclaration"]);

export function describe(source, tree, goal, auto) {
  return new Description(source, goal, auto).script(tree);
}

function isAnonymous(node) {
  node = unwrap(node);
  return node.type === "ArrowFunctionExpression" || (node.type === "FunctionExpression" || node.type === "ClassExpression") && !node.id;
}

function sequenceLength(node) {
  node = unwrap(node);
  return node.type === "SequenceExpression" ? node.expressions.length : 1;
}

// Methods that call a function again and again, or match a regular expression; and functions whose callbacks the
// event loop calls: as functions or members, as members, and as members whose first argument is a string.
const repeaters = /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|find(?:Last)?(?:Index)?|from|replace|replaceAll)$/;
const repeatAlone = /\.(?:sort|toSorted|end|write(?:Head)?|digest|get(?:BoundingClientRect|ClientRects|ImageData)|putImageData|toDataURL|toLocale(?:Date|Time)?String)$/;
const repeatAnywhere = /(?<![\w$])(?:getComputedStyle|structuredClone|postMessage)$|[\w$]Sync$/;
const matchers = /^(?:match|matchAll|search|replace|replaceAll|split)$/;
const deferring = /^(?:set(?:Timeout|Interval|Immediate)|queueMicrotask|request(?:AnimationFrame|IdleCallback)|(?:Mutation|Resize|Intersection|Performance)Observer|createServer)$/;
const deferringMember = /^(?:then|catch|finally|on|once|addListener|prependListener|prependOnceListener|addEventListener|nextTick|listen|use|addHook)$/;
const routing = /^(?:get|post|put|patch|delete|head|options|all)$/;

function isFunction(node) {
  return node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression";
}

const isMatching = (node) => node.type === "Literal" && node.regex && (/[*+]|,\}/.test(node.regex.pattern) || node.regex.flags.includes("g"));

const space = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y;

class Description {
  constructor(source, goal, auto) {
    this.source = source;
    this.goal = goal;
    this.auto = auto;
    this.functions = [];
    this.byName = new ByName(source);
    this.hasWith = false;
    // Offsets in bytes of UTF-8 for offsets in UTF-16.
    if (Buffer.byteLength(source) !== source.length) {
      this.bytes = new Uint32Array(source.length + 1);
      let at = 0;
      for (let i = 0; i < source.length; i++) {
        this.bytes[i] = at;
        const unit = source.charCodeAt(i);
        at += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
      }
      this.bytes[source.length] = at;
    }
  }

  at(offset) {
    return this.bytes && offset >= 0 ? this.bytes[offset] : offset;
  }

  frame(fn, outer) {
    return {
      fn, strict: outer?.strict ?? false, inWith: outer?.inWith ?? false, calls: false, iterates: false, outside: false, yields: false,
      eval: false, arguments: false, statements: 0, returns: [], suspends: [], loops: [], openLoops: [], vars: [],
      topReturn: false, shown: 0,
    };
  }

  script(tree) {
    const top = this.frame(null, null);
    this.top = top;
    top.strict = this.goal === "module";
    const directives = this.directives(tree.body, top);
    for (const node of tree.body) this.statement(node, top, "body");
    if (this.auto && this.goal === "script" && top.topReturn) this.goal = "function body";
    let start = 0;
    if (this.source[0] === "\uFEFF") start = 1;
    let hashbang = 0;
    const line = /^\uFEFF?#![^\n\r\u2028\u2029]*/.exec(this.source);
    if (line) {
      hashbang = line[0].length;
      start = hashbang + (/^\r\n/.test(this.source.slice(hashbang)) ? 2 : hashbang < this.source.length ? 1 : 0);
    }
    // A --> on the first line must stay the first thing on it.
    const firstLine = /^[^\n\r\u2028\u2029]*/.exec(this.source.slice(start))[0];
    if (this.goal !== "module" && tree.body[0]?.start > start + firstLine.length && /^\s*(?:\/\*.*?\*\/\s*)*(?:<!--.*)?-->/.test(firstLine)) {
      start = tree.body[0].start;
    }
    const out = [];
    const fns = this.functions;
    fns.forEach((f, i) => (f.order = i));
    fns.sort((a, b) => a.start - b.start || b.end - a.end || a.order - b.order);
    fns.forEach((f, i) => (f.index = i));
    this.byName.resolve(fns);
    let usesEval = top.eval;
    for (let i = fns.length - 1; i >= 0; i--) {
      if (!fns[i].usesEval) continue;
      usesEval = true;
      if (fns[i].parent) fns[i].parent.usesEval = true;
    }
    const insert = directives.insert >= 0 ? directives.insert : start;
    out.push(`${this.goal} strict=${+top.strict} hashbang=${this.at(hashbang)} insert=${this.at(insert)} semi=${+directives.semi} ` +
      `statements=${top.statements} with=${+this.hasWith} eval=${+usesEval}`);
    for (const loop of top.loops) out.push(this.loopLine(loop));
    for (const f of fns) {
      const flags = ["async", "generator", "strict", "expression", "names", "semi", "asm", "falls", "calls", "iterates", "entered", "yields", "arguments", "rest",
        "destructuring", "defaults", "usesEval", "inWith", "tryUnsafe", "derived"].filter((flag) => f[flag]).join(" ");
      out.push(`${f.kind} ${this.at(f.start)}-${this.at(f.end)} parent=${f.parent ? f.parent.index : -1} params=${this.at(f.params)}-${this.at(f.paramsEnd)} ` +
        `body=${this.at(f.bodyStart)}-${this.at(f.bodyEnd)} insert=${this.at(f.insert)} statements=${f.statements} name=${JSON.stringify(f.name)} [${flags}]`);
      if (f.called) out.push(f.called);
      for (const r of f.returns) {
        out.push(`  return ${this.at(r.start)} keyword=${this.at(r.start + 6)} argument=${this.at(r.argStart)}-${this.at(r.argEnd)}` +
          `${r.last === r.argStart ? "" : ` last=${this.at(r.last)}`}${r.names ? " names" : ""}${r.bare ? " bare" : ""}`);
      }
      for (const p of f.suspends) {
        out.push(`  suspend ${this.at(p.start)} keyword=${this.at(p.keyword)} argument=${this.at(p.argStart)}-${this.at(p.argEnd)}` +
          `${p.names ? " names" : ""}`);
      }
      for (const loop of f.loops) out.push("  " + this.loopLine(loop));
    }
    return out.join("\n") + "\n";
  }

  loopLine(l) {
    return `${l.kind} ${this.at(l.start)}-${this.at(l.end)} body=${this.at(l.bodyStart)}-${this.at(l.bodyEnd)}` +
      `${l.block ? " block" : ""}${l.calls ? " calls" : ""}${l.awaits ? " awaits" : ""}`;
  }

  directives(body, frame) {
    const found = { insert: -1, semi: false, asm: false };
    for (const node of body) {
      if (node.directive === undefined) break;
      node.isDirective = true;
      if (node.directive === "use strict") frame.strict = true;
      if (node.directive === "use asm") found.asm = true;
      found.insert = node.end;
      found.semi = this.source[node.end - 1] !== ";";
    }
    return found;
  }

  // A call in a function is seen by it and by the loops open in it.
  call(frame, outside) {
    frame.calls = true;
    if (outside) for (const loop of frame.openLoops) loop.calls = true;
  }

  // Notes on an anonymous function of the top level how it is called where it stands.
  called({ callee, optional, arguments: given, end }, frame) {
    const f = unwrap(callee);
    if (frame.fn || frame.shown > 0 || optional || !isAnonymous(f) || f.type === "ClassExpression" || given.some((a) => a.type === "SpreadElement")) return;
    const comma = (list) => (list.length > 0 && this.source[this.skip(list.at(-1).end)] === "," ? " comma" : "");
    f.called = `  called ${this.at(this.skip(callee.end) + 1)}-${this.at(end - 1)} arguments=${given.length}${comma(given)} parameters=${f.params.length}${comma(f.params)}`;
  }

  // Whether a call has parentheses right after what it calls: new a.sort has none, nor has a?.(b).
  plain({ callee, optional }) {
    if (optional) return false;
    const after = this.source.slice(callee.end).replace(/^(?:\s|\/\*[^]*?\*\/|\/\/.*)*/, "")[0];
    return after === "(";
  }

  // The name at the end of what is called, and whether a dot precedes it.
  calleeName({ callee }) {
    const [name] = /[\w$]*$/.exec(this.source.slice(callee.start, callee.end));
    return [name, this.source[callee.end - name.length - 1] === "."];
  }

  // Whether the callee is written as a method that loops in the engine.
  iterates(node) {
    if (!this.plain(node)) return false;
    const { callee, arguments: args } = node;
    const [name, member] = this.calleeName(node);
    if (member && repeaters.test(name) && args.some((arg) => isFunction(unwrap(arg)))) return true;
    if (member && matchers.test(name) && args.length > 0 && isMatching(args[0])) return true;
    if (callee.type !== "MemberExpression" && callee.type !== "Identifier" || callee.computed) return false;
    const text = this.source.slice(callee.start, callee.end);
    if (repeatAnywhere.test(text) || repeatAlone.test(text) || /(?<![\w$])JSON\.(?:parse|stringify)$/.test(text)) return true;
    if (args.length > 1 && /\.defineProperty$/.test(text) && !this.beginsWithString(args[0], args[1])) return true;
    return /\.(?:test|exec)$/.test(text) && isMatching(callee.object) && callee.object.end === callee.end - name.length - 1;
  }

  // Whether an argument begins with a string, and not with a parenthesis.
  beginsWithString(before, { start }) {
    return /["']/.test(this.source[start]) && !this.source.slice(before.end, start).replace(/\/\*[^]*?\*\/|\/\/.*/g, "").includes("(");
  }

  // Notes a function that is assigned to a handler's property.
  handles({ left, right, operator = "=" }, frame) {
    if (!naming.test(operator) || !/(?<![\w$])on[a-z]{3,}$/.test(this.source.slice(left.start, left.end))) return;
    if (isFunction(unwrap(right))) unwrap(right).entered = true;
    else this.byName.mention(right, frame.fn, true, false);
  }

  // Notes those that are defaults of an arrow's parameters, which look like assignments.
  handlesDefaults(node, frame) {
    if (node.type === "AssignmentPattern") {
      this.handles(node, frame);
      this.handlesDefaults(node.left, frame);
    } else if (node.type === "ArrayPattern") {
      for (const e of node.elements) if (e) this.handlesDefaults(e, frame);
    } else if (node.type === "ObjectPattern") {
      for (const p of node.properties) if (!p.shorthand) this.handlesDefaults(p.value ?? p.argument, frame);
    }
  }

  // Notes the functions among the arguments that the event loop enters.
  handsOver(node, frame) {
    const [name, member] = this.plain(node) ? this.calleeName(node) : ["", false];
    const quoted = node.arguments.length > 0 && /["'`]/.test(this.source[node.arguments[0].start]);
    const enters = deferring.test(name) || member && (deferringMember.test(name) || quoted && routing.test(name));
    for (const given of node.arguments) {
      const arg = unwrap(given);
      if (isFunction(arg)) arg.entered ||= arg.generator || enters;
      else this.byName.mention(given, frame.fn, enters, member && repeaters.test(name));
    }
  }

  yields(frame) {
    frame.calls = frame.yields = true;
    for (const loop of frame.openLoops) loop.awaits = true;
  }

  // statement describes a statement and tells whether control leaves by it.
  // place: body, block or alone.
  statement(node, frame, place) {
    if (node.isDirective) return false;
    if (!uncounted.has(node.type)) {
      if (node.type === "ExpressionStatement") frame.statements += sequenceLength(node.expression);
      else if (node.type === "ReturnStatement") frame.statements += node.argument ? sequenceLength(node.argument) : 1;
      else frame.statements++;
    }
    switch (node.type) {
      case "BlockStatement":
      case "StaticBlock":
        return this.list(node.body, frame, "block");
      case "EmptyStatement":
      case "DebuggerStatement":
      case "ContinueStatement":
        return false;
      case "BreakStatement":
        if (!node.label) frame.broken = true;
        return false;
      case "FunctionDeclaration":
        if (node.id) {
          if (place === "body") (frame.declared ??= []).push(node.id.name);
          else frame.vars.push(node.id.name);
        }
        this.function(node, frame, "declaration", node.start, node.id?.name ?? "");
        return false;
      case "ClassDeclaration":
        this.class(node, frame);
        return false;
      case "VariableDeclaration":
        this.variables(node, frame);
        return false;
      case "ExpressionStatement":
        this.expression(node.expression, frame);
        return false;
      case "ReturnStatement": {
        const arg = node.argument;
        if (!frame.fn) frame.topReturn = true;
        frame.returns.push({ start: node.start, argStart: arg ? arg.start : -1, argEnd: arg ? arg.end : -1,
          last: !arg ? -1 : arg.type === "SequenceExpression" ? arg.expressions.at(-1).start : arg.start,
          names: arg && isAnonymous(arg), bare: place === "alone" });
        if (arg) this.expression(arg, frame);
        return true;
      }
      case "ThrowStatement":
        this.expression(node.argument, frame);
        return true;
      case "IfStatement": {
        let leaves = true;
        for (;;) {
          this.expression(node.test, frame);
          leaves = this.statement(node.consequent, frame, "alone") && leaves;
          if (!node.alternate) return false;
          if (node.alternate.type !== "IfStatement") return this.statement(node.alternate, frame, "alone") && leaves;
          node = node.alternate;
          frame.statements++;
        }
      }
      case "LabeledStatement": {
        while (node.body.type === "LabeledStatement") node = node.body;
        if (node.body.type === "FunctionDeclaration" && place === "body") frame.labelledFunction = true;
        const broken = frame.broken;
        this.statement(node.body, frame, "alone");
        frame.broken = broken;
        return false;
      }
      case "TryStatement": {
        let leaves = this.statement(node.block, frame, "alone");
        if (node.handler) {
          if (node.handler.param) this.binding(node.handler.param, frame, null);
          leaves = this.statement(node.handler.body, frame, "alone") && leaves;
        }
        if (node.finalizer) leaves = this.statement(node.finalizer, frame, "alone") || leaves;
        return leaves;
      }
      case "SwitchStatement": {
        this.expression(node.discriminant, frame);
        const broken = frame.broken;
        for (const c of node.cases) {
          if (c.test) this.expression(c.test, frame);
          this.list(c.consequent, frame, "block");
        }
        frame.broken = broken;
        return false;
      }
      case "WithStatement": {
        this.hasWith = true;
        this.expression(node.object, frame);
        const inWith = frame.inWith;
        frame.inWith = true;
        const leaves = this.statement(node.body, frame, "alone");
        frame.inWith = inWith;
        return leaves;
      }
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return false;
      case "ExportNamedDeclaration":
        if (node.declaration) {
          frame.statements--;
          this.statement(node.declaration, frame, place);
        }
        return false;
      case "ExportDefaultDeclaration":
        if (node.declaration.type === "FunctionDeclaration") {
          this.function(node.declaration, frame, "declaration", node.declaration.start, node.declaration.id?.name ?? "");
        } else if (node.declaration.type === "ClassDeclaration") this.class(node.declaration, frame);
        else this.expression(node.declaration, frame);
        return false;
      default:
        if (loopKinds[node.type]) return this.loop(node, frame);
        throw new Error("statement " + node.type);
    }
  }

  list(nodes, frame, place) {
    let leaves = false;
    for (const node of nodes) leaves = this.statement(node, frame, place) || leaves;
    return leaves;
  }

  loop(node, frame) {
    const loop = { kind: loopKinds[node.type], start: node.start, end: node.end, bodyStart: node.body.start, bodyEnd: node.body.end,
      block: node.body.type === "BlockStatement", calls: false, awaits: false };
    frame.loops.push(loop);
    frame.openLoops.push(loop);
    const broken = frame.broken;
    frame.broken = false;
    if (node.await) this.yields(frame);
    const head = (part) => {
      if (!part) return;
      if (part.type === "VariableDeclaration") this.variables(part, frame);
      else this.expression(part, frame);
    };
    for (const part of [node.init, node.left, node.right, node.test, node.update]) head(part);
    this.statement(node.body, frame, "alone");
    frame.openLoops.pop();
    const always = (test) => {
      const text = test && this.source.slice(test.start, test.end);
      return text === "true" || text === "1" || text === "!0";
    };
    const endless = node.type === "ForStatement" ? !node.test : (node.type === "WhileStatement" || node.type === "DoWhileStatement") && always(node.test);
    const leaves = endless && !frame.broken;
    frame.broken = broken;
    return leaves;
  }

  variables(node, frame) {
    if (node.kind === "await using") this.yields(frame);
    for (const d of node.declarations) {
      this.byName.bind(d);
      this.binding(d.id, frame, node.kind === "var" ? frame.vars : null);
      if (d.init) this.expression(d.init, frame);
    }
  }

  // binding walks a pattern that binds names.
  binding(node, frame, names) {
    switch (node.type) {
      case "Identifier":
        names?.push(node.name);
        return;
      case "ArrayPattern":
        for (const e of node.elements) if (e) this.binding(e, frame, names);
        return;
      case "ObjectPattern":
        for (const p of node.properties) {
          if (p.type === "RestElement") this.binding(p.argument, frame, names);
          else {
            if (p.computed) this.computedKey(p.key, frame);
            this.binding(p.value, frame, names);
          }
        }
        return;
      case "RestElement":
        this.binding(node.argument, frame, names);
        return;
      case "AssignmentPattern":
        this.byName.bind(node);
        this.binding(node.left, frame, names);
        this.expression(node.right, frame);
        return;
      default:
        throw new Error("binding " + node.type);
    }
  }

  // expression walks an expression; chains to the left are a loop.
  expression(node, frame) {
    const later = [node];
    while (later.length > 0) {
      node = later.pop();
      switch (node.type) {
        case "Identifier":
          if (node.name === "arguments") frame.arguments = true;
          continue;
        case "ArrowFunctionExpression":
          this.function(node, frame, "arrow", node.start, "");
          continue;
        case "FunctionExpression":
          this.function(node, frame, "expression", node.start, node.id?.name ?? "");
          continue;
        case "ClassExpression":
          this.class(node, frame);
          continue;
        case "MetaProperty":
          continue;
        case "MemberExpression":
          if (node.computed) this.expression(node.property, frame);
          later.push(node.object);
          continue;
        case "ObjectExpression":
        case "ObjectPattern":
          for (const p of node.properties) this.property(p, frame);
          continue;
        case "CallExpression": {
          const callee = node.callee;
          const builtin = !node.optional && callee.type === "MemberExpression" && !callee.computed && !callee.optional &&
            callee.object.type === "Identifier" && namespaces.has(callee.object.name) && !callers.has(callee.property.name);
          this.call(frame, !builtin);
          frame.iterates ||= this.iterates(node);
          this.handsOver(node, frame);
          this.called(node, frame);
          if (!node.optional && unwrap(callee).type === "Identifier" && unwrap(callee).name === "eval") frame.eval = true;
          break;
        }
        case "AssignmentExpression":
        case "AssignmentPattern":
          this.handles(node, frame);
          this.byName.bind(node);
          break;
        case "NewExpression":
          frame.iterates ||= node.arguments.length > 0 && this.iterates(node);
          this.handsOver(node, frame);
          this.call(frame, true);
          break;
        case "TaggedTemplateExpression":
        case "ImportExpression":
          this.call(frame, true);
          break;
        case "AwaitExpression":
        case "YieldExpression": {
          this.yields(frame);
          const arg = node.argument;
          const keyword = node.delegate ? this.source.indexOf("*", this.skip(node.start + 5)) + 1 : node.start + 5;
          frame.suspends.push({ start: node.start, keyword, argStart: arg ? arg.start : -1, argEnd: arg ? arg.end : -1,
            names: arg && isAnonymous(arg) });
          break;
        }
      }
      for (const name in node) {
        const child = node[name];
        if (Array.isArray(child)) {
          for (let i = child.length - 1; i >= 0; i--) if (child[i]) later.push(child[i]);
        } else if (child && typeof child.type === "string" && typeof child.start === "number") later.push(child);
      }
    }
  }

  property(p, frame) {
    if (p.type !== "Property") {
      this.expression(p, frame);
      return;
    }
    this.byName.bind(p);
    if (p.computed) this.computedKey(p.key, frame);
    if (p.method || p.kind !== "init") this.method(p, frame, { get: "getter", set: "setter" }[p.kind] ?? "method");
    else if (p.shorthand && p.value.type === "AssignmentPattern") this.expression(p.value.right, frame);
    else this.expression(p.value, frame);
  }

  computedKey(node, frame) {
    frame.shown++;
    this.expression(node, frame);
    frame.shown--;
  }

  keyName(p) {
    if (p.computed) return null;
    const key = p.key;
    if (key.type === "PrivateIdentifier") return "#" + key.name;
    if (key.type === "Identifier") return key.name;
    return (key.bigint ?? String(key.value)).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  }

  method(p, frame, kind) {
    const name = this.keyName(p);
    const prefix = kind === "getter" ? "get " : kind === "setter" ? "set " : "";
    return this.function(p.value, frame, kind, p.start, name === null ? "" : prefix + name);
  }

  class(node, frame) {
    const strict = frame.strict;
    frame.strict = true;
    frame.shown++;
    if (node.superClass) this.expression(node.superClass, frame);
    for (const m of node.body.body) {
      switch (m.type) {
        case "MethodDefinition":
          if (m.computed) this.computedKey(m.key, frame);
          if (m.kind === "constructor") {
            const fn = this.function(m.value, frame, "constructor", m.start, node.id?.name ?? "");
            fn.derived = node.superClass !== null;
          } else this.method(m, frame, { get: "getter", set: "setter" }[m.kind] ?? "method");
          break;
        case "PropertyDefinition":
          if (m.computed) this.computedKey(m.key, frame);
          this.byName.bind(m);
          if (m.value) this.initializer(m.value, frame, m.static);
          break;
        case "StaticBlock":
          this.initializer(m, frame, true);
          break;
        default:
          throw new Error("member " + m.type);
      }
    }
    frame.strict = strict;
    frame.shown--;
  }

  initializer(node, outer, isStatic) {
    const fn = { kind: "initializer", start: node.start, end: node.end, params: node.start, paramsEnd: node.start, parameters: "",
      name: isStatic ? "<static_initializer>" : "<instance_members_initializer>", parent: outer.fn };
    this.functions.push(fn);
    const frame = this.frame(fn, outer);
    if (node.type === "StaticBlock") {
      fn.bodyStart = fn.insert = this.source.indexOf("{", this.skip(node.start + 6)) + 1;
      fn.bodyEnd = node.end - 1;
      fn.falls = !this.list(node.body, frame, "body");
    } else this.expressionBody(node, fn, frame);
    this.leave(fn, frame, outer);
  }

  expressionBody(node, fn, frame) {
    fn.expression = fn.falls = true;
    fn.bodyStart = fn.insert = node.start;
    fn.bodyEnd = node.end;
    fn.names = isAnonymous(node);
    this.expression(node, frame);
    frame.statements = sequenceLength(node);
  }

  function(node, outer, kind, start, name) {
    const fn = { kind, start, end: node.end, async: node.async, generator: node.generator, entered: node.entered, name, inferred: node.inferred, parent: outer.fn };
    this.functions.push(fn);
    this.parentheses(node, fn);
    fn.parameters = this.source.slice(fn.params, fn.paramsEnd);
    if (this.source[fn.params] === "(") fn.called = node.called;
    const frame = this.frame(fn, outer);
    for (const p of node.params) {
      const inner = p.type === "AssignmentPattern" ? p.left : p.type === "RestElement" ? p.argument : p;
      if (p.type === "AssignmentPattern") fn.defaults = true;
      if (p.type === "RestElement") fn.rest = true;
      if (inner.type !== "Identifier") fn.destructuring = true;
      if (kind === "arrow") this.handlesDefaults(p.type === "RestElement" ? p.argument : p, frame);
      this.binding(p, frame, frame.vars);
    }
    if (node.body.type === "BlockStatement") {
      const directives = this.directives(node.body.body, frame);
      fn.bodyStart = node.body.start + 1;
      fn.bodyEnd = node.body.end - 1;
      fn.insert = directives.insert < 0 ? fn.bodyStart : directives.insert;
      fn.semi = directives.semi;
      fn.asm = directives.asm;
      fn.falls = !this.list(node.body.body, frame, "body");
    } else this.expressionBody(node.body, fn, frame);
    this.leave(fn, frame, outer);
    return fn;
  }

  leave(fn, frame, outer) {
    Object.assign(fn, { strict: frame.strict, inWith: frame.inWith, statements: frame.statements, calls: frame.calls, iterates: frame.iterates,
      yields: frame.yields, usesEval: frame.eval, returns: frame.returns,
      suspends: frame.suspends.sort((a, b) => a.start - b.start), loops: frame.loops });
    if (fn.kind === "arrow" || fn.kind === "initializer") outer.arguments ||= frame.arguments;
    else fn.arguments = frame.arguments;
    const declared = frame.declared ?? [];
    const params = this.source.slice(fn.params, fn.paramsEnd);
    fn.tryUnsafe = frame.labelledFunction || declared.length > 0 && (frame.eval ||
      new Set(declared).size < declared.length || declared.includes("arguments") ||
      declared.some((name) => frame.vars.includes(name)) ||
      fn.kind === "arrow" && (params.length > 4096 || declared.some((name) => params.includes(name))));
  }

  skip(offset) {
    space.lastIndex = offset;
    space.exec(this.source);
    return space.lastIndex;
  }

  // parentheses finds those of the parameters.
  parentheses(node, fn) {
    const { source } = this;
    let at = node.start;
    if (node.id) at = this.skip(node.id.end);
    else {
      for (;;) {
        at = this.skip(at);
        const word = /(?:async|function)(?![$\w])|\*/y;
        word.lastIndex = at;
        if (!word.test(source) || node.type === "ArrowFunctionExpression" && node.params[0]?.start === at) break;
        at = word.lastIndex;
      }
    }
    fn.params = at;
    if (source[at] !== "(") {
      fn.paramsEnd = node.params[0].end;
      return;
    }
    at = node.params.length > 0 ? node.params[node.params.length - 1].end : at + 1;
    for (at = this.skip(at); source[at] === ","; ) at = this.skip(at + 1);
    if (source[at] !== ")") throw new Error("no parenthesis at " + at);
    fn.paramsEnd = at + 1;
  }
}
