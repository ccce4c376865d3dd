// Functions for the scripts beside this one. It is loaded before them, without
// checks, in goja and in V8.
'use strict';

function assert(condition, message) {
  if (!condition) throw new Error('assertion failed: ' + message);
}

function equal(got, want, message) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
  if (a !== b) throw new Error(message + ': got ' + a + ', want ' + b);
}

function throws(action, type, message) {
  try {
    action();
  } catch (error) {
    assert(Object.getPrototypeOf(error) === type.prototype, message + ': threw ' + error);
    return error;
  }
  throw new Error(message + ': threw nothing');
}

/** Repeats some work until a condition holds. The limit ends what hangs; it judges nothing. */
function until(condition, work) {
  for (const end = Date.now() + 300000; !condition(); work()) assert(Date.now() < end, 'waited in vain for ' + condition);
}

/** Every node of results, with the path of names to it. */
function nodes(results) {
  const all = [];
  const visit = (children, path) => {
    for (const child of children || []) {
      const here = path.concat(child.function.name || '');
      all.push({ path: here, child });
      visit(child.children, here);
    }
  };
  visit(results.children, []);
  return all;
}

/** The children of a name, wherever they stand. */
const named = (results, name) => nodes(results).filter(({ child }) => child.function.name === name).map(({ child }) => child);

const sum = (list, of) => (list || []).reduce((total, one) => total + (of(one) || 0), 0);

/** Checks that must hold for all results: samples = selfCount + those of the children, and no part says nothing. */
function sound(results) {
  for (const field of ['samples', 'gcSamples', 'micros']) assert(Number.isInteger(results[field]) && results[field] >= 0, field);
  equal(results.samples, sum(results.children, (c) => c.samples), 'samples of the root');
  for (const { path, child } of nodes(results)) {
    const at = path.join(' ');
    equal(child.samples || 0, (child.selfCount || 0) + sum(child.children, (c) => c.samples), 'samples of ' + at);
    for (const field of ['samples', 'selfCount']) assert(!(field in child) || child[field] > 0, field + ' of ' + at);
    assert(!('children' in child) || child.children.length > 0, 'children of ' + at);
    assert(child.samples || child.data || child.events || child.children, at + ' is there for nothing');
    assert(typeof child.function.file === 'string' && typeof child.site.file === 'string', 'files of ' + at);
    assert(!('name' in child.function) || child.function.name !== '', 'the name of ' + at);
  }
}

/** The example of Mozilla's document: results must have the fields that it shows, and no others but columns. */
function example(r) {
  sound(r);
  const fields = (object, list, what) => equal(Object.keys(object).sort(), list.split(' '), what);
  const place = (place, line, what) => equal([place.file.split('/').pop(), place.line], ['input.js', line], what);
  for (const extra of ['idleSamples', 'programSamples']) delete r[extra]; // ours, and not always there
  fields(r, 'children gcSamples micros samples', 'the root');
  // A tick may fall on the top level itself, or on what is over in an instant.
  for (const { child } of nodes(r)) if (child.function.name !== 'foo') delete child.selfCount, delete child.samples;
  const calling = r.children.filter((c) => c.children);
  equal(calling.length, 2, 'two lines of the top level call');
  const [first, second] = calling;
  for (const top of calling) fields(top, 'children function site', 'the top level');
  for (const [top, line] of [[first, 23], [second, 24]]) {
    equal(top.function.name, '<top level>', 'its name');
    place(top.function, 1, 'where the top level begins');
    place(top.site, line, 'where it stood');
  }
  assert(first.children.length >= 2, 'two lines of foo');
  for (const foo of first.children) {
    fields(foo, 'function samples selfCount site', 'foo');
    fields(foo.function, 'column file line name', 'its function');
    fields(foo.site, 'column file line', 'its site');
    equal(foo.function.name, 'foo', 'its name');
    place(foo.function, 3, 'where it is defined');
  }
  const lines = first.children.map((foo) => foo.site.line);
  assert(lines.includes(5) && lines.includes(9), 'both loops of foo: ' + lines);
  const bars = second.children.filter((bar) => bar.data);
  equal(bars.map((bar) => [bar.function.name, bar.site.line, bar.data]), [['bar', 16, { one: 1 }], ['bar', 17, { two: 2, n: 200 }]], 'bar');
  for (const bar of bars) fields(bar, 'data function site', 'bar');
}
