// Handlebars, immer, ramda, rxjs, yaml and zod, each at some examples.
import Handlebars from 'handlebars';
import { applyPatches, enablePatches, produce, produceWithPatches } from 'immer';
import * as R from 'ramda';
import { concat, defer, EMPTY, from, interval, merge, of, range, throwError, timer } from 'rxjs';
import { bufferCount, catchError, delay, map, mergeMap, reduce, retry, scan, share, switchMap, take, toArray, zipWith } from 'rxjs/operators';
import YAML from 'yaml';
import { z } from 'zod';
import { attempt, digest } from './digest.mjs';

Handlebars.registerHelper('loud', (text, options) => new Handlebars.SafeString(`${options.fn ? options.fn({ text }) : text}!`));
Handlebars.registerPartial('row', '<{{@index}}:{{name}}{{#if last}} last{{else}},{{/if}}>');
const template = Handlebars.compile('{{#each people}}{{> row}}{{#loud name}}{{text}}{{/loud}}{{else}}none{{/each}}{{{raw}}}{{raw}}{{lookup people 0}}{{#with (lookup people 1)}}{{../raw}}{{name}}{{/with}}');
console.log('handlebars', template({ people: [{ name: 'A' }, { name: 'B', last: true }], raw: '<&>' }), attempt(() => Handlebars.precompile('{{#if}}')), Handlebars.precompile('{{a.b}}').length);

enablePatches();
const base = { list: [1, { deep: { x: 1 } }], map: { k: 'v' } };
const [after, patches, inverse] = produceWithPatches(base, (d) => { d.list[1].deep.x++; d.list.unshift(0); delete d.map.k; d.map.n = d.list.length; });
console.log('immer', JSON.stringify([after, patches, applyPatches(after, inverse), base === produce(base, () => {}), attempt(() => { after.list.push(1); })]));

const people = R.range(0, 30).map((i) => ({ id: i, name: `n${i % 7}`, tags: R.repeat('t', i % 3) }));
console.log('ramda', digest([
  R.pipe(R.groupBy(R.prop('name')), R.map(R.pluck('id')), R.toPairs, R.sortWith([R.descend(R.prop(0))]))(people),
  R.over(R.lensPath(['a', 0, 'b']), R.inc, { a: [{ b: 1 }] }), R.transduce(R.compose(R.filter((x) => x % 2), R.map(R.add(1)), R.take(4)), R.flip(R.append), [], R.range(0, 50)),
  R.curryN(3, (...a) => a)(1)(R.__, 3)(2), R.equals({ a: [1, NaN] }, { a: [1, NaN] }), R.memoizeWith(String, R.product)([1, 2, 3, 4]), R.converge(R.divide, [R.sum, R.length])([1, 2, 3]),
]));

let tries = 0;
const streams = [
  range(1, 50).pipe(scan((a, b) => a + b), bufferCount(7, 3), map((b) => b.length), toArray()),
  merge(timer(4).pipe(map(() => 'late')), of('now'), from(Promise.resolve('soon'))).pipe(toArray()),
  defer(() => (++tries < 3 ? throwError(() => new Error('again')) : of(tries))).pipe(retry(5)),
  concat(EMPTY, throwError(() => new TypeError('lost'))).pipe(catchError((e) => of(e.message))),
  interval(1).pipe(take(4), switchMap((x) => of(x, x * 10)), mergeMap((x) => of(x).pipe(delay(1))), reduce((a, b) => a + b, 0)),
  from('abc').pipe(zipWith(range(0, 9)), share(), toArray()),
];
for (const stream of streams) console.log('rxjs', JSON.stringify(await new Promise((resolve, reject) => stream.subscribe({ next: resolve, error: reject }))));

const text = 'a: &x [1, 0x1F, .inf, ~, "q\\u0041", !!str 5]\nb: *x\n? complex key\n: |\n  block\n  text\nc: {d: e, f: >-\n    folded}\n# end\n---\n- 2001-01-01\n- <<: {m: 1}\n';
const documents = YAML.parseAllDocuments(text);
console.log('yaml', digest(documents.map((d) => [d.errors.map(String), d.errors.length || d.toString(), String(JSON.stringify(d.toJS()))])), attempt(() => YAML.parse('a: [1')), YAML.stringify({ multi: 'a\nb', list: [{ x: 1 }, []], '': null }));

const schema = z.object({
  id: z.coerce.number().int().positive(), mail: z.email().optional(), kind: z.enum(['a', 'b']).default('a'),
  nested: z.array(z.union([z.string().min(2), z.object({ n: z.bigint() })])).max(3), extra: z.record(z.string(), z.unknown()),
}).strict().refine((v) => v.id !== 13, { message: 'unlucky' }).transform((v) => ({ ...v, seen: true }));
for (const input of [{ id: '4', nested: ['ab', { n: 1n }], extra: {} }, { id: -1, mail: 'x', kind: 'c', nested: ['a', 1, 2, 3], extra: 1, more: 1 }, { id: 13, nested: [], extra: {} }, null]) {
  const result = schema.safeParse(input);
  console.log('zod', result.success, digest(result.success ? result.data : result.error.issues));
}
