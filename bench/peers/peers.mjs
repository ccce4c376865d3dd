// Times tools from npm on one file at a time, for bench/building/speedpeers.go. Reads
// requests from stdin, one JSON object a line, and answers each with one:
//
//   {"peer":"swc","path":"/…/lodash.js","module":false}
//   {"ns":12345678}   or   {"error":"…"}
//
// An empty peer asks for the versions. The time is the processor's, of all
// threads of this process. Reading and decoding files is not timed, and the tools'
// output is thrown away.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { parse } from 'acorn';
import MagicString from 'magic-string';
import swc from '@swc/core';
import istanbul from 'istanbul-lib-instrument';

const require = createRequire(import.meta.url);
const check = '($f[1]=$f[0])&&$f.c.c(0);';
const minStatements = 10; // N of preset balanced

/**
 * Puts entry checks into functions with bodies of enough statements.
 * @param {string} code
 * @param {boolean} module
 * @returns {MagicString}
 */
function entryChecks(code, module) {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: module ? 'module' : 'script', allowHashBang: true });
  const edits = new MagicString(code);
  edits.appendLeft(program.body[0]?.start ?? 0, 'var $f=[0,0];');
  visit(program, { statements: 0 });
  return edits;

  function visit(node, owner) {
    let inside = owner;
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        inside = { statements: 0 };
        break;
      case 'SequenceExpression':
        owner.statements += node.expressions.length - 1;
        break;
      default:
        if (node.type.endsWith('Statement') && node.type !== 'BlockStatement' || node.type === 'VariableDeclaration') owner.statements++;
    }
    for (const key in node) {
      const value = node[key];
      if (value === null || typeof value !== 'object') continue;
      if (Array.isArray(value)) {
        for (const item of value) if (item !== null && typeof item.type === 'string') visit(item, inside);
      } else if (typeof value.type === 'string') {
        visit(value, inside);
      }
    }
    if (inside !== owner && node.body.type === 'BlockStatement' && inside.statements >= minStatements) {
      const first = node.body.body.find((statement) => statement.directive === undefined);
      edits.appendLeft(first ? first.start : node.body.end - 1, check);
    }
  }
}

const peers = {
  swc: (code, module, path) =>
    swc.transformSync(code, {
      filename: path, configFile: false, swcrc: false, isModule: module, sourceMaps: false,
      jsc: { parser: { syntax: 'ecmascript' }, target: 'esnext' },
    }).code,
  'acorn + magic-string': (code, module) => entryChecks(code, module).toString(),
  'acorn + magic-string, with map': (code, module, path) => {
    const edits = entryChecks(code, module);
    return edits.toString() + edits.generateMap({ source: path, includeContent: true, hires: 'boundary' }).toString();
  },
  istanbul: (code, module, path) =>
    istanbul.createInstrumenter({ esModules: module, produceSourceMap: false, coverageVariable: '__coverage__' }).instrumentSync(code, path),
};

function versions() {
  const of = (name) => require(`${name}/package.json`).version;
  return {
    node: process.versions.node, acorn: of('acorn'), 'magic-string': of('magic-string'), swc: of('@swc/core'),
    istanbul: of('istanbul-lib-instrument'),
  };
}

function answer(request) {
  if (!request.peer) return { versions: versions() };
  const code = readFileSync(request.path, 'utf8');
  const start = process.cpuUsage();
  const out = peers[request.peer](code, request.module, request.path);
  const spent = process.cpuUsage(start);
  if (out.length < code.length / 3) throw new Error(`gave ${out.length} characters for ${code.length}`);
  return { ns: 1000 * (spent.user + spent.system) };
}

for await (const line of createInterface({ input: process.stdin })) {
  let reply;
  try {
    reply = answer(JSON.parse(line));
  } catch (error) {
    reply = { error: String(error?.message ?? error).slice(0, 300) };
  }
  process.stdout.write(JSON.stringify(reply) + '\n');
}
