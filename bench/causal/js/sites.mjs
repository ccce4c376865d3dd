// Lists the functions of a script, parsed by acorn, as JSON: where the head of each
// begins and ends, where the function ends, and where its body takes a statement, after
// the directives. The
// first entry is the script itself. Offsets are in bytes of UTF-8.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [path, modules] = process.argv.slice(2);
const { parse } = createRequire(modules)('acorn');
const text = readFileSync(path, 'utf8');
const tree = parse(text, {
  ecmaVersion: 'latest', sourceType: path.endsWith('.mjs') ? 'module' : 'script',
  allowReturnOutsideFunction: true, allowHashBang: true,
});

// The byte at which each UTF-16 unit of the text begins.
const bytes = new Uint32Array(text.length + 1);
for (let i = 0; i < text.length; i++) {
  const unit = text.charCodeAt(i);
  bytes[i + 1] = bytes[i] + (unit < 0x80 ? 1 : unit < 0x800 || unit >> 11 === 0x1b ? 2 : 3);
}

const sites = [{ head: 0, body: 0, insert: afterDirectives(tree.body, 0), end: text.length }];

function afterDirectives(statements, start) {
  const directives = statements.filter((s) => s.directive !== undefined);
  return directives.length ? directives[directives.length - 1].end : start;
}

/** Visits a node; members of classes and objects own the head of their function. */
function visit(node, head) {
  if (!node || typeof node.type !== 'string') return;
  if (node.body?.type === 'BlockStatement' && /Function/.test(node.type)) {
    sites.push({ head: head ?? node.start, body: node.body.start, end: node.end, insert: afterDirectives(node.body.body, node.body.start + 1) });
  }
  const member = node.type === 'MethodDefinition' || node.type === 'Property' && (node.method || node.kind !== 'init');
  for (const [key, child] of Object.entries(node)) {
    if (Array.isArray(child)) for (const c of child) visit(c);
    else visit(child, member && key === 'value' ? node.start : undefined);
  }
}

visit(tree);
console.log(JSON.stringify(sites.map(({ head, body, insert, end }) => ({ head: bytes[head], body: bytes[body], insert: bytes[insert], end: bytes[end] }))));
