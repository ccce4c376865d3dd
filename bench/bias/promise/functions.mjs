// Lists the functions of a script that is read from standard input, by acorn, which shares no
// code with the transform: where each is defined, how many statements it has, and whether it
// loops. A preset's promise depends on nothing else (docs/running.md, Detail and cost).
//
//   node functions.mjs ACORN script|module < bundle.js
//
// prints {"functions":[{start, params, statements, loops, initializer}, …]}. Start and params are
// positions [line, column], which count from 1, columns in UTF-16 units: of the function with
// its key if it is a method, and without. Initializers are those of class fields, and static
// blocks.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [acorn, sourceType] = process.argv.slice(2);
const { parse, getLineInfo } = await import(pathToFileURL(acorn));
const source = readFileSync(0, 'utf8');
const tree = parse(source, {
  ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true, allowHashBang: true,
  allowAwaitOutsideFunction: sourceType === 'module',
});

const functions = [];
const isFunction = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const loops = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
const uncounted = new Set(['BlockStatement', 'EmptyStatement', 'LabeledStatement', 'FunctionDeclaration']);
const exported = new Set(['ExportNamedDeclaration', 'ExportDefaultDeclaration', 'ExportAllDeclaration', 'ImportDeclaration']);

/** Whether a node is a key with a function that begins with it. */
const isMethod = (node) => node.type === 'MethodDefinition' || node.type === 'Property' && (node.method || node.kind === 'get' || node.kind === 'set');

/** Comma-joined expressions are statements that a minifier has merged. */
const joined = (node) => (node?.type === 'SequenceExpression' ? node.expressions.length : 1);

/** Whether a call is of a method that loops in the engine over the program's values. */
function iterates({ callee, optional }) {
  if (optional || callee?.type !== 'MemberExpression' || callee.computed || callee.optional) return false;
  const { object, property } = callee;
  return property.name === 'sort' || property.name === 'toSorted' ||
    object.type === 'Identifier' && object.name === 'JSON' && (property.name === 'parse' || property.name === 'stringify');
}

function visit(node, owner, place, method) {
  if (isFunction.has(node.type)) {
    const f = { at: (method ?? node).start, params: node.start, statements: 0, loops: false };
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
    const f = { at, params: at, statements: 0, loops: false, initializer: true };
    functions.push(f);
    for (const part of parts) visit(part, f);
    return;
  }
  if (node.type === 'ExpressionStatement') owner.statements += node.directive === undefined ? joined(node.expression) : 0;
  else if (node.type === 'ReturnStatement') owner.statements += joined(node.argument);
  else if (/Statement$|Declaration$/.test(node.type) && place !== 'head' && !uncounted.has(node.type) && !exported.has(node.type)) owner.statements++;
  if (loops.has(node.type)) owner.loops = true;
  if (node.type === 'CallExpression' || node.type === 'NewExpression' && node.arguments.length > 0) owner.loops ||= iterates(node);
  for (const name in node) {
    const child = node[name];
    const where = loops.has(node.type) && name !== 'body' ? 'head' : '';
    if (Array.isArray(child)) {
      for (const one of child) if (one?.type) visit(one, owner, where);
    } else if (child && typeof child.type === 'string') visit(child, owner, where, isMethod(node) && name === 'value' ? node : undefined);
  }
}

visit(tree, { statements: 0, loops: false });
const position = (offset) => {
  const { line, column } = getLineInfo(source, offset);
  return [line, column + 1];
};
console.log(JSON.stringify({
  functions: functions.map((f) => ({ ...f, at: undefined, start: position(f.at), params: position(f.params) })),
}));
