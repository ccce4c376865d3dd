// The profiled copies that `variant: 'both'` writes next to outputs, where there are several outputs or builds. The
// look of both variants of one output is tested with the examples.
import fieldprof from '@fieldprof/unplugin';
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { rollup } from 'rollup';
import { builders } from './builders.mjs';
import { configurations, packed, projectIn, scripts, sources, treeOf } from './projects.mjs';

/** Outputs of one build, in one folder or several, one after the other or at the same time. */
test('each output has its copy', async (t) => {
  const inParallel = async (configuration) => {
    const bundle = await rollup(configuration);
    await Promise.all(configuration.output.map((output) => bundle.write(output)));
    await bundle.close();
  };
  for (const [name, build] of [['rollup', builders.rollup], ['rollup', inParallel], ['rolldown', builders.rolldown]]) {
    const root = projectIn(t, name);
    const [one, other] = [join(root, 'one'), join(root, 'other')];
    await build({
      input: join(root, 'src/work.js'),
      plugins: [fieldprof[name]({ variant: 'both' })],
      output: [
        { dir: one, format: 'es', entryFileNames: '[name].js' },
        { dir: one, format: 'cjs', entryFileNames: () => 'common.js' },
        { dir: one, format: 'cjs', entryFileNames: () => 'again.js' },
        { file: join(other, 'only.js'), format: 'es' },
      ],
    });
    for (const [dir, wanted] of [[one, ['again.js', 'common.js', 'work.js']], [other, ['only.js']]]) {
      const tree = treeOf(dir + '-profiled');
      assert.deepEqual(scripts(tree), wanted, name);
      for (const path of wanted) assert.ok(/\$f/.test(tree[path]) && tree[path + '.functions.json'] && tree[path + '.map'], `${name}: ${path}`);
      assert.deepEqual(JSON.parse(tree['fieldprof/manifest.json']).scripts.sort(), wanted, name);
    }
  }
  const shared = projectIn(t, 'shared');
  const folder = join(shared, 'together');
  await builders.rollup({
    input: join(shared, 'src/work.js'),
    plugins: [fieldprof.rollup({ variant: 'both', profiledOutdir: folder })],
    output: [{ dir: join(shared, 'esm'), format: 'es', entryFileNames: 'work.mjs' }, { dir: join(shared, 'cjs'), format: 'cjs', entryFileNames: 'work.cjs' }],
  });
  const together = treeOf(folder);
  for (const path of ['work.mjs', 'work.cjs']) assert.ok(/\$f/.test(together[path]) && together[path + '.functions.json'] && together[path + '.map'], path);

  const root = projectIn(t, 'vite-library');
  await builders.vite({ root, plugins: [fieldprof.vite({ variant: 'both' })], build: { lib: { entry: 'src/work.js', name: 'Work', fileName: 'lib' }, sourcemap: true } });
  const [clean, profiled] = [treeOf(join(root, 'dist')), treeOf(join(root, 'dist-profiled'))];
  const all = Object.keys(clean).filter((path) => /js$/.test(path));
  assert.equal(all.length, 2, String(all));
  for (const path of all) assert.ok(/\$f/.test(profiled[path]) && profiled[path + '.map'] && profiled[path + '.functions.json'], path);
});

/** A copy is next to the output however the output's folder is written, and never over, in or around it. */
test('the clean output and its copy stay apart', async (t) => {
  for (const name of ['webpack', 'rspack']) {
    const root = projectIn(t, name);
    for (const [path, wanted, given] of [[join(root, 'out') + '/', 'out-profiled'], [join(root, 'v[fullhash:1]'), /^v[^[\]]-profiled$/], [join(root, 'out'), 'mine', 'mine']]) {
      rmSync(join(root, 'out'), { recursive: true, force: true });
      await builders[name]({ ...packed(root, path), plugins: [fieldprof[name]({ variant: 'both', profiledOutdir: given })] });
      assert.deepEqual(Object.keys(treeOf(root)).filter((path) => /^(out|v.)\/fieldprof\//.test(path)), [], 'profiled files in the clean output');
      const copies = readdirSync(root).filter((folder) => (typeof wanted === 'string' ? folder === wanted : wanted.test(folder)));
      assert.equal(copies.length, 1, `${name}: ${readdirSync(root)}`);
      assert.ok(treeOf(join(root, copies[0]))['fieldprof/manifest.json'], name);
    }
  }
  for (const name of Object.keys(configurations)) {
    const root = projectIn(t, name);
    const out = join(root, 'out');
    const build = (profiledOutdir) => builders[name](configurations[name](root, out, [fieldprof[name]({ variant: 'both', profiledOutdir })]));
    await assert.rejects(() => build(out), /"profiledOutdir" is the output folder/, name);
    if (name === 'rollup') await assert.rejects(() => build(join(out, 'profiled')), /"profiledOutdir" is inside the output folder/);
    if (name === 'webpack') await assert.rejects(() => build(root), /"profiledOutdir" holds the output folder/);
    assert.deepEqual(Object.keys(treeOf(root)).filter((path) => path.includes('fieldprof/')), [], name);
  }
  const root = projectIn(t, 'vite');
  await builders.vite({ root, plugins: [fieldprof.vite({ variant: 'both', profiledOutdir: 'beside' })] });
  assert.ok(treeOf(join(root, 'beside'))['fieldprof/manifest.json'], "as Vite's own folders, it is in the root");
});

/** Where a bundler empties its folder, the copy has the scripts of the last release only, and files of others. */
test('the copy loses what the output has lost', async (t) => {
  for (const name of ['vite', 'webpack', 'rspack']) {
    const root = projectIn(t, name);
    const [out, copy] = [join(root, 'out'), join(root, 'out-profiled')];
    const build = async (clean) => {
      const configuration = configurations[name](root, out, [fieldprof[name]({ variant: 'both' })], {});
      if (name === 'vite') configuration.build.emptyOutDir = clean;
      else configuration.output.clean = clean;
      await builders[name](configuration);
      return scripts(treeOf(copy));
    };
    await build(true);
    writeFileSync(join(copy, 'CNAME'), 'example.com');
    writeFileSync(join(root, 'src/work.js'), sources['src/work.js'].replace('31', '37'));
    const one = await build(true);
    assert.deepEqual(one, scripts(treeOf(out)), name);
    const left = Object.keys(treeOf(copy));
    assert.ok(left.includes('CNAME'));
    assert.deepEqual(left.filter((path) => path.endsWith('.js.functions.json') && !left.includes(path.replace('.functions.json', ''))), []);
    writeFileSync(join(root, 'src/work.js'), sources['src/work.js'].replace('31', '41'));
    const both = await build(false);
    assert.ok(both.length > one.length && one.every((path) => both.includes(path)), `${name}: the output has both, so has the copy`);
  }
});

test('a copy of several outputs loses what they have lost', async (t) => {
  for (const name of ['rollup', 'rolldown']) {
    const root = projectIn(t, name);
    const out = join(root, 'out');
    const build = async (factor) => {
      writeFileSync(join(root, 'src/work.js'), sources['src/work.js'].replace('31', factor));
      rmSync(out, { recursive: true, force: true });
      const output = ['es', 'cjs'].map((format) => ({ dir: out, format, entryFileNames: `[name]-[hash].${format}.js` }));
      await builders[name]({ input: join(root, 'src/work.js'), plugins: [fieldprof[name]({ variant: 'both' })], output });
      assert.deepEqual(scripts(treeOf(out + '-profiled')), scripts(treeOf(out)), name);
    };
    for (const factor of [31, 37, 41]) await build(factor);
  }
});
