// The plugin in bundlers that watch: after a change of a source, the output is
// that of a build from nothing. And in Vite's builds for servers.
import fieldprof from '@fieldprof/unplugin';
import { rspack } from '@rspack/core';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'node:test';
import { watch as rolldown } from 'rolldown';
import { watch as rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';
import { builders } from './builders.mjs';

const work = (factor) => `export function work(n) { let s = 0; for (let i = 0; i < n; i++) { s = (s * ${factor} + i) % 65521; } return s; }`;

const sources = {
  'src/main.js': `import { work } from './work.js';
import('./late.js').then(({ late }) => console.log(late(work(1000))));`,
  'src/work.js': work(31),
  'src/late.js': `export function late(x) { let s = ''; for (let i = 0; i < 3; i++) { s += x; } return s; }`,
  'package.json': '{ "type": "module" }',
};

/** The options of a bundler. Names without hashes: the output has no rest of the build before. */
const names = { entryFileNames: '[name].js', chunkFileNames: '[name].js' };
const rolled = (root, dir) => ({ input: join(root, 'src/main.js'), plugins: [], output: { dir, format: 'es', sourcemap: true, ...names } });
const packed = (context, path) => ({
  mode: 'production', context, entry: './src/main.js', devtool: 'source-map', plugins: [],
  output: { path, filename: '[name].js', chunkFilename: '[name].js' }, optimization: { chunkIds: 'named' },
});
const configurations = {
  vite: (root, outDir) => ({ root, plugins: [], logLevel: 'warn', configFile: false, build: { outDir, emptyOutDir: true, sourcemap: true, rollupOptions: { input: join(root, 'src/main.js'), output: names } } }),
  rollup: rolled,
  rolldown: rolled,
  webpack: packed,
  rspack: packed,
};

/** Each starts to watch, tells of the end of every build, and gives what ends it. */
const watchers = {
  vite: async ({ build, ...rest }, ended) => heard(await vite({ ...rest, build: { ...build, watch: {} } }), ended),
  rollup: (configuration, ended) => heard(rollup(configuration), ended),
  rolldown: (configuration, ended) => heard(rolldown(configuration), ended),
  webpack: (configuration, ended) => packing(webpack(configuration), ended),
  rspack: (configuration, ended) => packing(rspack(configuration), ended),
};

function heard(watcher, ended) {
  watcher.on('event', (event) => {
    if (event.code === 'END') ended();
    else if (event.code === 'ERROR') ended(event.error);
    void event.result?.close();
  });
  return () => watcher.close();
}

function packing(compiler, ended) {
  const watching = compiler.watch({ aggregateTimeout: 5 }, (error, stats) => ended(error ?? (stats.hasErrors() ? new Error(stats.toString('errors-only')) : undefined)));
  return () => new Promise((resolve) => watching.close(() => compiler.close(resolve)));
}

for (const name of Object.keys(configurations)) {
  test(`${name} watches`, { timeout: 300_000 }, async (t) => {
    const root = projectIn(t, `${name}-watch-`);
    const [out, fresh] = [join(root, 'out'), join(root, 'fresh')];
    const configured = (folder) => {
      const configuration = configurations[name](root, folder);
      configuration.plugins.push(fieldprof[name]());
      return configuration;
    };
    let failure;
    const stop = await watchers[name](configured(out), (error) => (failure ??= error));
    t.after(stop);
    for (const factor of [31, 37, 31]) {
      writeFileSync(join(root, 'src/work.js'), work(factor));
      rmSync(fresh, { recursive: true, force: true });
      await builders[name](configured(fresh));
      const want = treeOf(fresh);
      const main = want['main.js'].replaceAll(' ', '');
      assert.ok(main.includes(`*${factor}+`) || main.includes(`${factor}*`), 'the build knows the change');
      assert.ok(/\[0\]\)&&/.test(main), 'it has checks');
      // The watcher sees the change at some time; a build may be under way before, and
      // a change that is written before the watcher starts goes unseen.
      for (let tries = 1; !failure && !same(treeOf(out), want) && tries < 600; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (tries % 50 === 0) writeFileSync(join(root, 'src/work.js'), work(factor));
      }
      if (failure) throw failure;
      const got = treeOf(out);
      assert.deepEqual(Object.keys({ ...got, ...want }).filter((path) => got[path] !== want[path]), [], 'files that differ');
    }
  });
}

/** The names of an output may come from a function that has the text of another one. */
test('outputs that are watched leave the copies of others', { timeout: 300_000 }, async (t) => {
  const root = projectIn(t, 'outputs-watch-');
  const output = ['one', 'other'].map((name) => ({ dir: join(root, 'out'), format: 'es', entryFileNames: () => name + '.js' }));
  await new Promise((resolve, reject) => {
    const stop = heard(rollup({ input: join(root, 'src/work.js'), plugins: [fieldprof.rollup({ variant: 'both' })], output }), (error) => (error ? reject(error) : resolve()));
    t.after(stop);
  });
  const copy = treeOf(join(root, 'out-profiled'));
  for (const path of ['one.js', 'other.js']) assert.ok(copy[path] && copy[path + '.map'], path);
});

test('vite builds for a server', async (t) => {
  const root = projectIn(t, 'vite-ssr-');
  const build = async (outDir, plugins) => {
    await vite({ root, plugins, logLevel: 'warn', configFile: false, build: { ssr: join(root, 'src/main.js'), outDir, sourcemap: true, rollupOptions: { output: names } } });
    return { tree: treeOf(outDir), prints: execFileSync(process.execPath, [join(outDir, 'main.js')], { encoding: 'utf8' }) };
  };
  const clean = await build(join(root, 'clean'), []);
  const profiled = await build(join(root, 'out'), [fieldprof.vite({ preset: 'precise' })]);
  assert.equal(profiled.prints, clean.prints);
  assert.ok(/^import ?"\.\/fieldprof\/checks\.js"/.test(profiled.tree['main.js']), 'it imports its checks');
  assert.deepEqual(Object.keys(clean.tree).filter((path) => !profiled.tree[path]), []);
  assert.ok(profiled.tree['main.js.functions.json']);
});

function projectIn(t, prefix) {
  const root = mkdtempSync(join(import.meta.dirname, prefix));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function treeOf(root) {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
    return Object.fromEntries(paths.map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]));
  } catch (error) {
    if (error.code === 'ENOENT') return {}; // it is being written
    throw error;
  }
}

const same = (a, b) => Object.keys({ ...a, ...b }).every((path) => a[path] === b[path]);
