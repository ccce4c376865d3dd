// Projects that tests build with each bundler, and their outputs.
import { HtmlRspackPlugin } from '@rspack/core';
import HtmlPlugin from 'html-webpack-plugin';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const sources = {
  'src/main.js': `import { work } from './work.js';
import('./late.js').then(({ late }) => console.log(late(work(1000))));`,
  'src/work.js': `export function work(n) { let s = 0; for (let i = 0; i < n; i++) { s = (s * 31 + i) % 65521; } return s; }`,
  'src/late.js': `export function late(x) { let s = ''; for (let i = 0; i < 3; i++) { s += x; } return s; }`,
  'package.json': '{ "type": "module" }',
  'index.html': '<!doctype html><title>page</title><script type="module" src="/src/main.js"></script>',
};

/** The configuration of each bundler; hash is how it writes the hash of a name. */
export const configurations = {
  vite: (root, out, plugins) => ({ root, plugins, build: { outDir: out, emptyOutDir: true, sourcemap: true, modulePreload: false } }),
  rollup: (root, out, plugins, more) => ({ input: join(root, 'src/main.js'), plugins, output: { dir: out, format: 'es', sourcemap: true, entryFileNames: '[name]-[hash].js', ...more } }),
  rolldown: (root, out, plugins, more) => ({ input: join(root, 'src/main.js'), plugins, output: { dir: out, format: 'es', sourcemap: true, entryFileNames: '[name]-[hash].js', ...more } }),
  webpack: (root, out, plugins, more) => ({ ...packed(root, out, more), plugins: [new HtmlPlugin({ title: 'page' }), ...plugins] }),
  rspack: (root, out, plugins, more) => ({ ...packed(root, out, more), plugins: [new HtmlRspackPlugin({ title: 'page' }), ...plugins] }),
};

export function packed(root, path, more) {
  return { mode: 'production', context: root, entry: './src/main.js', devtool: 'source-map', output: { path, filename: '[name].[contenthash:8].js', publicPath: '' }, ...more };
}

/** A folder with the sources, which goes when the test ends. */
export function projectIn(t, name) {
  const root = mkdtempSync(join(import.meta.dirname, name + '-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** The files of a folder. */
export function treeOf(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]));
}

/** The scripts of a tree, without the runtime. */
export const scripts = (tree) => Object.keys(tree).filter((path) => path.endsWith('.js') && !path.startsWith('fieldprof/'));
