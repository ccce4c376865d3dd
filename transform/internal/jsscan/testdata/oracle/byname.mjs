// Functions that are handed over by their names, defined as byname.go defines it but found from acorn's tree.

const path = /^(?!\d)[\w$.#]+$/;
const boundPath = /^((?!\d)[\w$.#]+)\.bind\([\w$.#]*\)$/;

// Operators after which the target names a function to the right.
export const naming = /^(?:\|\||&&|\?\?)?=$/;

export function unwrap(node) {
  while (node.type === "ParenthesizedExpression") node = node.expression;
  return node;
}

// Whether the operand after one in || and its kin, or in a ternary, still has the name: other operators take it away.
function keepsName(node) {
  if (node.type === "LogicalExpression") return keepsName(node.left) && keepsName(node.right);
  return node.type !== "BinaryExpression" && node.type !== "UnaryExpression";
}

// The nodes that a value may be, if it is an operand of || and its kin or of a ternary.
function* operands(node) {
  node = unwrap(node);
  if (node.type === "LogicalExpression") {
    yield* operands(node.left);
    if (keepsName(node.left)) yield* operands(node.right);
  } else if (node.type === "ConditionalExpression") {
    if (!keepsName(node.test)) return;
    yield* operands(node.consequent);
    if (keepsName(node.consequent)) yield* operands(node.alternate);
  } else yield node;
}

export class ByName {
  mentions = [];

  constructor(source) {
    this.source = source;
  }

  // Notes the names of the functions that a node binds.
  bind(node) {
    if (node.type === "VariableDeclarator") this.name(node.id, node.init);
    else if (node.type === "AssignmentPattern" || node.type === "AssignmentExpression" && naming.test(node.operator)) this.name(node.left, node.right);
    else if (node.type === "Property" || node.type === "PropertyDefinition") {
      if (!node.computed && node.value) this.name(node.key, node.value);
    }
  }

  name(target, value) {
    if (!value) return;
    const text = this.source.slice(target.start, target.end);
    const [name] = target.type === "Literal" ? [String(target.value)] : /[\w$.#]*$/.exec(text);
    for (const f of operands(value)) {
      if ((f.type === "FunctionExpression" || f.type === "ArrowFunctionExpression") && !f.id) f.inferred = name.replace(/^\.+/, "");
    }
  }

  // Notes what is mentioned where a function may stand.
  mention(node, fn, enters, iterates) {
    if (!enters && !iterates || !/^[A-Za-z_$]/.test(this.source[node.start])) return;
    const text = this.source.slice(node.start, node.end);
    const whole = path.test(text) ? text : boundPath.exec(text)?.[1];
    if (whole === undefined) return;
    const dot = whole.lastIndexOf(".");
    this.mentions.push({ fn, at: node.start, name: whole.slice(dot + 1), member: dot >= 0, enters, iterates });
  }

  // Marks what the mentions mean among functions that are in order. Each has an index, kind, start, name or inferred
  // name, the text of its parameters and a parent, which is none at the top level.
  resolve(functions) {
    const last = (f) => f.name || (f.inferred ?? "").split(".").at(-1);
    const valued = new Set(["expression", "arrow"]);
    const bound = new Map();
    const members = new Map();
    const add = (map, key, f) => map.set(key, [...(map.get(key) ?? []), f]);
    const wanted = new Set(this.mentions.map((m) => m.name));
    for (const f of functions) {
      const name = last(f);
      if (!wanted.has(name)) continue;
      if (f.kind === "declaration" || valued.has(f.kind) && f.inferred === name) add(bound, `${f.parent?.index ?? -1} ${name}`, f);
      if (valued.has(f.kind) || f.kind === "method") add(members, name, f);
    }
    for (const { fn, at, name, member, enters, iterates } of this.mentions) {
      for (const f of member ? this.nearest(members.get(name) ?? [], at) : this.inScope(bound, fn, name)) {
        f.entered ||= enters;
        if (iterates && fn) fn.iterates = true;
      }
    }
  }

  inScope(bound, fn, name) {
    for (; ; fn = fn.parent) {
      const found = bound.get(`${fn?.index ?? -1} ${name}`);
      if (found || !fn) return found ?? [];
      if (fn.kind === "expression" && fn.name === name) return [fn];
      const shadow = new RegExp(`(?<![\\w$])${name.replace(/\$/g, "\\$")}(?![\\w$])`);
      if (shadow.test(fn.parameters)) return [];
    }
  }

  nearest(functions, at) {
    const distance = (f) => Math.abs(f.start - at);
    return functions.length === 0 ? [] : [functions.reduce((a, b) => (distance(b) < distance(a) ? b : a))];
  }
}
