// Lists the functions of a script that is read from standard input, by acorn, which shares no
// code with the transform: where each is defined, how many statements it has, whether it
// loops, and whether the event loop enters it and it calls something. A preset's promise
// depends on nothing else (docs/running.md, Detail and cost). The meaning of a name that is handed
// over is found in acorn's tree as the scanner's oracle finds it.
//
//   node functions.mjs ACORN script|module < bundle.js
//
// prints {"functions":[{start, params, statements, loops, entered, initializer}, …]}. Start and params are
// positions [line, column], which count from 1, columns in UTF-16 units: of the function with
// its key if it is a method, and without. Initializers are those of class fields, and static
// blocks.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ByName, naming } from '../../../transform/internal/jsscan/testdata/oracle/byname.mjs';

const [acorn, sourceType] = process.argv.slice(2);
const { parse, getLineInfo } = await import(pathToFileURL(acorn));
const source = readFileSync(0, 'utf8');
const tree = parse(source, {
  ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true, allowHashBang: true,
  allowAwaitOutsideFunction: sourceType === 'module',
});

const functions = [];
const entered = new Set();
const byName = new ByName(source);
const isFunction = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const loops = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
const calls = new Set(['CallExpression', 'NewExpression', 'TaggedTemplateExpression', 'ImportExpression', 'AwaitExpression', 'YieldExpression']);
const uncounted = new Set(['BlockStatement', 'EmptyStatement', 'LabeledStatement', 'FunctionDeclaration']);
const exported = new Set(['ExportNamedDeclaration', 'ExportDefaultDeclaration', 'ExportAllDeclaration', 'ImportDeclaration']);

/** Whether a node is a key with a function that begins with it. */
const isMethod = (node) => node.type === 'MethodDefinition' || node.type === 'Property' && (node.method || node.kind === 'get' || node.kind === 'set');

/** Comma-joined expressions are statements that a minifier has merged. */
const joined = (node) => (node?.type === 'SequenceExpression' ? node.expressions.length : 1);

const words = (list) => new Set(list.split(/\s+/));
/** Methods that loop longer the larger their data are, and functions that do so with and without an object. */
const alone = words(`sort toSorted end write writeHead digest
  getBoundingClientRect getClientRects getImageData putImageData toDataURL
  toLocaleString toLocaleDateString toLocaleTimeString`);
const anywhere = words('getComputedStyle structuredClone postMessage');
/** Methods that call a function again and again, and that match a regular expression. */
const repeating = words('forEach map flatMap filter reduce reduceRight some every find findIndex findLast findLastIndex from replace replaceAll');
const matching = words('match matchAll search replace replaceAll split');
/** Functions that call a function later: by themselves or as methods, only as methods, or for a path. */
const deferring = words(`setTimeout setInterval setImmediate queueMicrotask requestAnimationFrame requestIdleCallback
  MutationObserver ResizeObserver IntersectionObserver PerformanceObserver createServer`);
const deferringMethods = words('then catch finally on once addListener prependListener prependOnceListener addEventListener nextTick listen use addHook');
const routing = words('get post put patch delete head options all');

const isValue = (node) => node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
/** A regular expression that may go on as long as its string does. */
const isEndless = ({ regex }) => regex !== undefined && (/[*+]|,\}/.test(regex.pattern) || regex.flags.includes('g'));

/** The name of what a call calls, and the object that it is of. */
function called({ callee, optional }) {
  if (optional || callee.computed) return {};
  if (callee.type !== 'MemberExpression') return { name: callee.name };
  return { name: callee.property.name, of: callee.property.type === 'PrivateIdentifier' ? undefined : callee.object };
}

/** Whether a call is of what loops in the engine for as long as the program's values are large. */
function iterates(node) {
  const { name, of } = called(node);
  if (anywhere.has(name) || /.Sync$/.test(name)) return true;
  if (of === undefined) return false;
  const [first, second] = node.arguments;
  return alone.has(name) ||
    name === 'defineProperty' && second !== undefined && !/["']/.test(source[second.start]) ||
    of.type === 'Identifier' && of.name === 'JSON' && (name === 'parse' || name === 'stringify') ||
    (name === 'test' || name === 'exec') && isEndless(of) ||
    repeating.has(name) && node.arguments.some(isValue) || matching.has(name) && first !== undefined && isEndless(first);
}

/** Marks the functions among a call's arguments that the event loop enters, and notes the names. */
function handOver(node, owner) {
  const { name, of } = called(node);
  const path = node.arguments.length > 0 && /["'`]/.test(source[node.arguments[0].start]);
  const enters = deferring.has(name) || of !== undefined && (deferringMethods.has(name) || path && routing.has(name));
  for (const argument of node.arguments) {
    if (!isValue(argument)) byName.mention(argument, owner.kind && owner, enters, of !== undefined && repeating.has(name));
    else if (argument.generator || enters) entered.add(argument);
  }
}

/** Marks a function that is assigned to a handler's property, or notes its name. */
function handle({ left, right, operator }, owner) {
  if (!naming.test(operator) || !/^on[a-z]{3,}$/.test(left.property?.name ?? left.name)) return;
  if (isValue(right)) entered.add(right);
  else byName.mention(right, owner.kind && owner, true, false);
}

/** The kind of function that a node is, as names tell them apart. */
function kindOf(node, method) {
  if (node.type === 'FunctionDeclaration') return 'declaration';
  if (node.type === 'ArrowFunctionExpression') return 'arrow';
  if (!method) return 'expression';
  return method.kind === 'init' ? 'method' : method.kind;
}

/** The name that a method's key gives it. */
function keyOf({ key, computed }) {
  if (computed) return undefined;
  return key.type === 'PrivateIdentifier' ? `#${key.name}` : key.name ?? String(key.value);
}

/** The properties by which a function is known inside the script. */
function identity(node, owner, method) {
  const parameters = node.params.length > 0 ? source.slice(node.params[0].start, node.params.at(-1).end) : '';
  return { kind: kindOf(node, method), parameters, name: node.id?.name ?? (method && keyOf(method)), inferred: node.inferred, parent: owner.kind && owner };
}

function visit(node, owner, place, method) {
  byName.bind(node);
  if (isFunction.has(node.type)) {
    const start = (method ?? node).start;
    const f = { ...identity(node, owner, method), start, params: node.start, statements: 0, iterates: false, calls: false, entered: node.async || entered.has(node) };
    functions.push(f);
    if (node.type === 'ArrowFunctionExpression' && node.expression) f.statements = joined(node.body);
    for (const p of node.params) visit(p, f, 'parameter');
    visit(node.body, f, 'body');
    return;
  }
  if (node.type === 'PropertyDefinition' || node.type === 'StaticBlock') {
    if (node.computed) visit(node.key, owner);
    const parts = node.type === 'StaticBlock' ? node.body : [node.value].filter(Boolean);
    if (node.type !== 'StaticBlock' && parts.length === 0) return;
    const at = (node.value ?? node).start;
    const f = { kind: 'initializer', parameters: '', parent: owner.kind && owner, start: at, params: at, statements: 0, iterates: false, initializer: true };
    functions.push(f);
    for (const part of parts) visit(part, f);
    return;
  }
  if (node.type === 'ExpressionStatement') owner.statements += node.directive === undefined ? joined(node.expression) : 0;
  else if (node.type === 'ReturnStatement') owner.statements += joined(node.argument);
  else if (/Statement$|Declaration$/.test(node.type) && place !== 'head' && !uncounted.has(node.type) && !exported.has(node.type)) owner.statements++;
  if (loops.has(node.type)) owner.iterates = true;
  if (node.type === 'CallExpression' || node.type === 'NewExpression' && node.arguments.length > 0) {
    owner.iterates ||= iterates(node);
    handOver(node, owner);
  }
  if (node.type === 'AssignmentExpression') handle(node, owner);
  if (calls.has(node.type) || node.await) owner.calls = true;
  for (const name in node) {
    const child = node[name];
    const where = loops.has(node.type) && name !== 'body' ? 'head' : '';
    if (Array.isArray(child)) {
      for (const one of child) if (one?.type) visit(one, owner, where);
    } else if (child && typeof child.type === 'string') visit(child, owner, where, isMethod(node) && name === 'value' ? node : undefined);
  }
}

visit(tree, { statements: 0, iterates: false });
functions.sort((a, b) => a.start - b.start).forEach((f, i) => (f.index = i));
byName.resolve(functions);
const position = (offset) => {
  const { line, column } = getLineInfo(source, offset);
  return [line, column + 1];
};
console.log(JSON.stringify({
  functions: functions.map(({ start, params, statements, iterates, entered, calls, initializer }) => (
    { start: position(start), params: position(params), statements, loops: iterates, entered: entered && calls && statements > 0, initializer })),
}));
