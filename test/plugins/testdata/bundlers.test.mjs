// The plugin in all bundlers: node --test, in a folder whose node_modules has the
// packages.
import fieldprof from '@fieldprof/unplugin';
import { rspack } from '@rspack/core';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { start } from 'fieldprof';
import { createBuilder } from 'vite';
import { SubresourceIntegrityPlugin } from 'webpack-subresource-integrity';
import { builders } from './builders.mjs';
import { configurations, packed, projectIn, scripts, sources, treeOf } from './projects.mjs';

/** The runtime's files as they come with any output. */
const service = await start();
const { files } = await service.instrument([{ path: 'any.js', contents: new TextEncoder().encode(sources['src/work.js']) }]);
await service.stop();
const runtime = Object.fromEntries(files.map(({ path, contents }) => [path.replace('fieldprof/', ''), new TextDecoder().decode(contents)]));

for (const name of Object.keys(configurations)) {
  test(name, async (t) => {
    const root = projectIn(t, name);
    const build = async (plugin, more) => {
      const out = join(root, 'out');
      rmSync(out, { recursive: true, force: true });
      await builders[name](configurations[name](root, out, plugin ? [fieldprof[name](plugin)] : [], more));
      return treeOf(out);
    };
    const clean = await build();

    await t.test('gives scripts with checks, the same each time', async () => {
      const tree = await build({});
      assert.ok(scripts(tree).every((path) => !/late|work/.test(tree[path]) || /\[0\]\)&&/.test(tree[path].replaceAll(' ', ''))));
      for (const part of ['runtime.js', 'module.js', 'trace.js']) assert.equal(tree['fieldprof/' + part], runtime[part], 'the runtime as it is');
      assert.deepEqual(await build({}), tree);
    });
    await t.test('gives names that tell contents, and follows them', async () => {
      const fine = await build({ preset: 'fine' });
      const profiled = await build({});
      for (const [a, b] of [[clean, profiled], [clean, fine], [profiled, fine]]) {
        const both = scripts(a).filter((path) => b[path] && b[path] !== a[path] && !path.startsWith('fieldprof/'));
        assert.deepEqual(both, [], 'one name for two contents');
      }
      for (const [path, text] of Object.entries(profiled)) {
        const [, url] = /^\/\/# sourceMappingURL=(\S+)$/m.exec(text) ?? [];
        if (url && !path.startsWith('fieldprof/')) assert.ok(profiled[join(dirname(path), url)], `${path} names ${url}`);
        for (const [, script] of path.endsWith('.html') ? text.matchAll(/src="?\.?\/?([^\s">]+)/g) : []) assert.ok(profiled[script], `${path} names ${script}`);
      }
      const { scripts: listed } = JSON.parse(profiled['fieldprof/manifest.json']);
      assert.ok(listed.length > 0 && listed.every((path) => profiled[path] && profiled[path + '.functions.json']), String(listed));
    });
    if (name.startsWith('roll')) {
      await t.test('gives scripts that run as they did', async () => {
        const run = (tree) => execFileSync(process.execPath, [join(root, 'out', scripts(tree).find((path) => /^main-/.test(path)))], { encoding: 'utf8' });
        const want = run(await build());
        assert.equal(run(await build({ preset: 'precise' })), want);
      });
    }
    await t.test('says what is wrong with options', async () => {
      await assert.rejects(() => build({ presett: 'fine' }), /fieldprof: unknown option "presett": did you mean "preset"\?/);
      await assert.rejects(() => build({ preset: 'fien' }), /preset.*fine.*fien/s);
    });
    await t.test('builds as ever without a service, unless it is strict', async (t) => {
      process.env.FIELDPROF_BINARY = join(root, 'no-such-program');
      t.after(() => delete process.env.FIELDPROF_BINARY);
      const said = [];
      t.mock.method(console, 'warn', (text) => said.push(text));
      t.mock.method(process.stderr, 'write', (text) => said.push(text));
      assert.deepEqual(scripts(await build({})).map((path) => clean[path] !== undefined).includes(false), false);
      assert.match(said.join(''), /no-such-program/);
      await assert.rejects(() => build({ strict: true }), /no-such-program/);
    });
  });
}

/** Where no page is written, the script that pages begin with brings the runtime. */
test('scripts for pages of others bring the runtime', async (t) => {
  const root = mkdtempSync(join(import.meta.dirname, 'carriers-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'app.js'), sources['src/work.js'].replace('export ', '') + 'globalThis.result = work(1000);');
  const input = join(root, 'app.js');
  const output = { dir: join(root, 'out'), format: 'iife' };
  const packs = { mode: 'development', devtool: false, context: root, entry: './app.js', output: { path: join(root, 'out'), filename: 'app.js' } };
  for (const [name, configuration] of [
    ['rollup', { input, output }],
    ['rolldown', { input, output }],
    ['webpack', packs],
    ['rspack', packs],
  ]) {
    const brings = async (options, more) => {
      await builders[name]({ ...configuration, ...more, plugins: [fieldprof[name](options)] });
      return /fieldprof\/trace\.js/.test(readFileSync(join(root, 'out/app.js'), 'utf8'));
    };
    assert.equal(await brings({}), true, name);
    assert.equal(await brings({ embed: [] }), false, name);
    if (name.endsWith('pack')) assert.equal(await brings({}, { target: 'node' }), false, name);
  }
});

/** The integrities in pages and loaders are those of the scripts, however names are made. */
test('integrities are those of the scripts with checks', async (t) => {
  const root = mkdtempSync(join(import.meta.dirname, 'integrity-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'src'));
  for (const [path, text] of Object.entries(sources)) if (path.startsWith('src/')) writeFileSync(join(root, path), text);
  const Integrity = { webpack: SubresourceIntegrityPlugin, rspack: rspack.SubresourceIntegrityPlugin ?? rspack.experiments.SubresourceIntegrityPlugin };
  t.mock.method(console, 'warn', () => {}); // they would rather have realContentHash
  for (const name of ['webpack', 'rspack']) {
    for (const [filename, realContentHash] of [['[name].js', true], ['[name].[contenthash:8].js', true], ['[name].[contenthash:8].js', false]]) {
      for (const isLast of [true, false]) {
        const ours = fieldprof[name]({ preset: 'precise' }), theirs = new Integrity[name]({ hashFuncNames: ['sha384', 'sha512'] });
        const out = join(root, 'out');
        rmSync(out, { recursive: true, force: true });
        const output = { path: out, filename, chunkFilename: filename, publicPath: '', crossOriginLoading: 'anonymous' };
        await builders[name](configurations[name](root, out, isLast ? [theirs, ours] : [ours, theirs], { output, optimization: { realContentHash } }));
        const tree = treeOf(out);
        const all = scripts(tree).map((path) => tree[path]);
        assert.ok(all.length === 2 && all.every((text) => /\$f/.test(text)), 'two scripts with checks');
        const held = new Set(Object.entries(tree).map(([path, text]) => (path.endsWith('.map') ? '' : text)).join('').match(/sha(384|512)-[A-Za-z0-9+/]{64,86}={0,2}/g));
        const wanted = all.flatMap((text) => ['sha384', 'sha512'].map((kind) => `${kind}-${createHash(kind).update(text).digest('base64')}`));
        assert.deepEqual([...held].sort(), wanted.sort(), `${name} ${filename} ${realContentHash}`);
      }
    }
  }
});

/** A file in another folder, such as a template for a server, is left alone by itself. */
test('what is outside the output folder is left as it is, and the rest has checks', async (t) => {
  const root = mkdtempSync(join(import.meta.dirname, 'outside-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'src'));
  for (const [path, text] of Object.entries(sources)) if (path.startsWith('src/')) writeFileSync(join(root, path), text);
  t.mock.method(console, 'warn', () => {});
  for (const name of ['webpack', 'rspack']) {
    for (const holds of [false, true]) {
      const out = join(root, name + holds, 'public');
      const html = (text) => ({
        apply: (compiler) =>
          compiler.hooks.thisCompilation.tap('page', (compilation) => {
            const { sources, Compilation } = compiler.webpack;
            compilation.hooks.processAssets.tap({ name: 'page', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_INLINE }, () => {
              const held = Object.keys(compilation.assets).filter((path) => /^main.*js$/.test(path)).map((path) => createHash('sha256').update(compilation.assets[path].buffer()).digest('base64'));
              compilation.emitAsset('../templates/index.html', new sources.RawSource(holds ? `${text}<script src=main.js integrity=sha256-${held[0]}></script>` : text));
            });
          }),
      });
      const page = '<!doctype html><title>{{ title }}</title>';
      const configuration = { ...packed(root, out, { optimization: { realContentHash: false } }), plugins: [html(page), fieldprof[name]({ preset: 'precise' })] };
      await builders[name](configuration);
      const tree = treeOf(out);
      const template = readFileSync(join(root, name + holds, 'templates/index.html'), 'utf8');
      assert.ok(template.startsWith(page) && !template.includes('fieldprof'), template);
      const checked = scripts(tree).filter((path) => /\$f/.test(tree[path]));
      assert.ok(checked.length >= (holds ? 1 : 2), `${name}: ${checked}`);
      const [main] = scripts(tree).filter((path) => /^main/.test(path));
      assert.equal(checked.includes(main), !holds, `${name}: ${main} is ${holds ? 'held to what it is' : 'free'}`);
    }
  }
});

/** A plugin that several builds share serves each until it is done. */
test('the end of one build does not stop the service of another', async (t) => {
  for (const name of ['rollup', 'rolldown']) {
    const root = projectIn(t, name);
    const plugin = fieldprof[name]({ strict: true });
    const { handler } = plugin.generateBundle;
    const ends = async function (...given) {
      const working = handler.apply(this, given);
      await new Promise(setImmediate); // the service has been asked
      await plugin.closeBundle.call({ meta: {} });
      return working;
    };
    const output = { dir: join(root, 'out'), format: 'es', entryFileNames: '[name].js' };
    await builders[name]({ input: join(root, 'src/work.js'), plugins: [{ ...plugin, generateBundle: { order: 'post', handler: ends } }], output });
    assert.match(treeOf(output.dir)['work.js'], /\$f/, name);
  }
});

/** A file that cannot be compressed again is left out, as in a folder: servers would prefer it to the script with checks. */
test('no output has what was compressed from a script without checks', async (t) => {
  const compresses = {
    name: 'compresses',
    generateBundle(options, bundle) {
      for (const path of Object.keys(bundle)) if (path.endsWith('.js')) this.emitFile({ type: 'asset', fileName: path + '.zst', source: 'of ' + path });
    },
    apply: (compiler) =>
      compiler.hooks.thisCompilation.tap('compresses', (compilation) => {
        const { sources, Compilation } = compiler.webpack;
        compilation.hooks.processAssets.tap({ name: 'compresses', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 50 }, () => {
          for (const path of Object.keys(compilation.assets)) if (path.endsWith('.js')) compilation.emitAsset(path + '.zst', new sources.RawSource('of ' + path));
        });
      }),
  };
  for (const name of Object.keys(configurations)) {
    const root = projectIn(t, name);
    const { apply, ...rest } = compresses;
    mkdirSync(join(root, 'public'));
    writeFileSync(join(root, 'public/early.js'), sources['src/work.js'].replace('export ', ''));
    writeFileSync(join(root, 'public/early.js.zst'), 'of early.js');
    const build = async (plugins) => {
      await builders[name](configurations[name](root, join(root, 'out'), [name.endsWith('pack') ? { apply } : rest, ...plugins]));
      return treeOf(join(root, 'out'));
    };
    assert.ok(Object.keys(await build([])).filter((path) => path.endsWith('.js.zst')).length >= 2, name);
    rmSync(join(root, 'out'), { recursive: true });
    const tree = await build([fieldprof[name]({ strict: true })]);
    assert.ok(scripts(tree).length >= 2, name);
    assert.deepEqual(Object.keys(tree).filter((path) => path.endsWith('.zst')), [], name);
  }
});

/** Of Vite's public folder scripts have checks; other files may be of any size, and are in copies, too. */
test('public files may be large', async (t) => {
  const root = projectIn(t, 'vite-public');
  const more = { 'public/early.js': 'function early(n) { while (n--) globalThis.early = n; }\nearly(3);', 'public/images/a.bin': 'not read' };
  for (const [path, text] of Object.entries(more)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  await builders.vite({ root, plugins: [fieldprof.vite({ variant: 'both' })], build: { outDir: join(root, 'out') } });
  const tree = treeOf(join(root, 'out-profiled'));
  assert.match(tree['early.js'], /\$f/);
  assert.equal(tree['images/a.bin'], 'not read');

  // What holds hashes of scripts follows them.
  const early = join(root, 'public/early.js');
  const hashOf = (script) => 'sha256-' + createHash('sha256').update(script).digest('base64');
  writeFileSync(join(root, 'public/_headers'), `/*\n  Content-Security-Policy: script-src '${hashOf(readFileSync(early))}'\n`);
  for (const [variant, out] of [['both', 'out-profiled'], ['profiled', 'out']]) {
    await builders.vite({ root, plugins: [fieldprof.vite({ variant })], build: { outDir: join(root, 'out') } });
    const renewed = treeOf(join(root, out));
    assert.ok(renewed._headers.includes(hashOf(renewed['early.js'])), `${variant}: ${renewed._headers}`);
  }
  rmSync(join(root, 'public/_headers'));

  // Vite copies what links lead to.
  mkdirSync(join(root, 'shared'));
  writeFileSync(join(root, 'shared/vendor.js'), more['public/early.js']);
  symlinkSync(join(root, 'shared/vendor.js'), join(root, 'public/vendor.js'));
  symlinkSync(join(root, 'shared'), join(root, 'public/linked'));
  for (const [variant, out] of [['both', 'out-profiled'], ['profiled', 'out']]) {
    await builders.vite({ root, plugins: [fieldprof.vite({ variant })], build: { outDir: join(root, 'out') } });
    for (const path of ['vendor.js', 'linked/vendor.js']) assert.match(treeOf(join(root, out))[path] ?? '', /\$f/, `${variant}: ${path}`);
  }

  // Vite itself would copy it, so Rollup has Vite's plugin.
  const plugin = fieldprof.vite({ strict: true });
  const publicDir = join(root, 'public');
  writeFileSync(join(publicDir, 'model.bin'), '');
  truncateSync(join(publicDir, 'model.bin'), 3 * 2 ** 30); // sparse
  plugin.configResolved({ base: '/', publicDir, build: { copyPublicDir: true } });
  const output = { dir: join(root, 'large'), format: 'es', entryFileNames: '[name].js' };
  await builders.rollup({ input: join(root, 'src/work.js'), plugins: [plugin], output });
  for (const path of ['work.js', 'early.js']) assert.match(treeOf(output.dir)[path], /\$f/, path);
});

/** As @vitejs/plugin-legacy makes it: an output for old browsers, which the page in the other output loads by nomodule. */
test('an output for browsers without modules stays as it is', async (t) => {
  for (const variant of ['both', 'profiled']) {
    const root = projectIn(t, 'legacy-' + variant);
    const plugin = fieldprof.vite({ strict: true, variant });
    plugin.configResolved({ base: '/', root, publicDir: '', plugins: [{ name: 'vite:legacy-generate-polyfill-chunk' }], build: { copyPublicDir: false } });
    const output = ['[name]-legacy.js', '[name].js'].map((entryFileNames, i) => ({ dir: join(root, 'out'), format: i ? 'es' : 'system', entryFileNames }));
    await builders.rollup({ input: join(root, 'src/work.js'), plugins: [plugin], output });
    const tree = treeOf(join(root, variant === 'both' ? 'out-profiled' : 'out'));
    assert.doesNotMatch(tree['work-legacy.js'], /\$f/);
    assert.match(tree['work.js'], /\$f/);
    // Without one for the others, no script has checks.
    const alone = builders.rollup({ input: join(root, 'src/work.js'), plugins: [plugin], output: [output[0]] });
    await assert.rejects(alone, /work-legacy\.js:1:1: this output is for browsers without modules.* it is clean/);
  }
});

/** Builds and environments that share a plugin may have other folders, other addresses and other public files. */
test('a plugin that builds share goes by the configuration of each', async (t) => {
  const plugin = fieldprof.vite({ strict: true });
  const early = 'function early(n) { while (n--) globalThis.early = n; }\nearly(3);';
  const root = projectIn(t, 'shared');
  const names = ['one', 'other'];
  for (const name of names) {
    mkdirSync(join(root, name, 'public'), { recursive: true });
    writeFileSync(join(root, name, `public/${name}.js`), early);
    writeFileSync(join(root, name, 'main.js'), sources['src/work.js'] + 'console.log(work(1000));');
    writeFileSync(join(root, name, 'index.html'), `<!doctype html><script src="/${name}.js"></script><script type="module" src="/main.js"></script>`);
  }
  const build = (name) => builders.vite({ root: join(root, name), base: `https://${name}.example/`, plugins: [plugin] });
  const alone = [];
  for (const name of names) {
    await build(name);
    alone.push(treeOf(join(root, name, 'dist')));
  }
  await Promise.all(names.map(build));
  for (const [i, name] of names.entries()) {
    const tree = treeOf(join(root, name, 'dist'));
    assert.match(tree[name + '.js'], /\$f/);
    assert.ok(tree['index.html'].includes(`https://${name}.example/fieldprof/runtime.js`), tree['index.html']);
    assert.deepEqual(tree, alone[i], 'as one after the other');
  }

  const server = { build: { copyPublicDir: false, outDir: 'server', rollupOptions: { input: join(root, 'src/work.js') } } };
  const builder = await createBuilder({ root: join(root, 'one'), logLevel: 'warn', configFile: false, plugins: [plugin], environments: { server }, builder: { sharedPlugins: true } });
  await builder.build(builder.environments.client);
  await builder.build(builder.environments.server);
  assert.match(treeOf(join(root, 'one/dist'))['one.js'], /\$f/);
  const tree = treeOf(join(root, 'one/server'));
  assert.ok(scripts(tree).length > 0 && scripts(tree).every((path) => /\$f/.test(tree[path])));
  assert.equal(tree['one.js'], undefined, 'it has no public files');
});

/** A map that only the bundler knows of is still the map of its script, and still hidden. */
test('hidden maps in a folder of their own follow their scripts', async (t) => {
  const { originalPositionFor, TraceMap } = await import('@jridgewell/trace-mapping');
  for (const name of ['rollup', 'rolldown']) {
    const root = projectIn(t, name);
    const output = { dir: join(root, 'out'), format: 'es', entryFileNames: '[name].js', sourcemap: 'hidden', sourcemapFileNames: 'maps/[name].js.map' };
    await builders[name]({ input: join(root, 'src/work.js'), plugins: [fieldprof[name]({ preset: 'precise' })], output });
    const tree = treeOf(output.dir);
    assert.deepEqual(Object.keys(tree).filter((path) => path.endsWith('.map') && !path.startsWith('fieldprof/')), ['maps/work.js.map'], name);
    assert.doesNotMatch(tree['work.js'], /sourceMappingURL/);
    const lines = tree['work.js'].split('\n');
    const line = lines.findIndex((text) => text.includes('s * 31'));
    const found = originalPositionFor(new TraceMap(tree['maps/work.js.map']), { line: line + 1, column: lines[line].indexOf('s * 31') });
    assert.match(found.source, /src\/work\.js$/);
    assert.deepEqual([found.line, found.column], [1, sources['src/work.js'].indexOf('s * 31')], name);
  }
});

/** A script whose integrity is in a page elsewhere stays, and so do scripts whose integrity that one has. */
test('a chain of integrities that begins outside the output folder stays', async (t) => {
  const root = mkdtempSync(join(import.meta.dirname, 'chain-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'src'));
  for (const [path, text] of Object.entries(sources)) if (path.startsWith('src/')) writeFileSync(join(root, path), text);
  t.mock.method(console, 'warn', () => {});
  const out = join(root, 'public');
  const digestOf = (contents) => `sha384-${createHash('sha384').update(contents).digest('base64')}`;
  const page = {
    apply: (compiler) =>
      compiler.hooks.thisCompilation.tap('page', (compilation) => {
        const { sources, Compilation } = compiler.webpack;
        // After the chunks have their integrities.
        compilation.hooks.processAssets.tap({ name: 'page', stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH - 2 }, () => {
          const main = Object.keys(compilation.assets).find((path) => /^main.*js$/.test(path));
          compilation.emitAsset('../templates/index.html', new sources.RawSource(`<script src=${main} integrity=${digestOf(compilation.assets[main].buffer())}></script>`));
        });
      }),
  };
  const output = { path: out, filename: '[name].[contenthash:8].js', publicPath: '', crossOriginLoading: 'anonymous' };
  const configuration = packed(root, out, { output, optimization: { realContentHash: false } });
  await builders.webpack({ ...configuration, plugins: [new SubresourceIntegrityPlugin({ hashFuncNames: ['sha384'] }), page, fieldprof.webpack({ preset: 'precise' })] });
  const tree = treeOf(out);
  const paths = scripts(tree);
  const template = readFileSync(join(root, 'templates/index.html'), 'utf8');
  const main = paths.find((path) => path.startsWith('main')), late = paths.find((path) => path !== main);
  assert.ok(template.includes(digestOf(tree[main])), `${template} and ${main}`);
  assert.ok(tree[main].includes(digestOf(tree[late])), `${main} and ${late}`);
});

test('require gives the plugin, too', async () => {
  const require = createRequire(import.meta.url);
  for (const name of ['', ...Object.keys(configurations)]) {
    const path = join('@fieldprof/unplugin', name).replaceAll('\\', '/');
    const required = require(path);
    assert.equal(required, (await import(path)).default);
    assert.equal(required.default, required);
  }
  assert.equal(require('@fieldprof/unplugin/rollup')().name, 'fieldprof');
});
