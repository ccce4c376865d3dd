// The esbuild plugin in all ways that esbuild builds: node --test, in a folder
// whose node_modules has the packages.
import fieldprof from '@fieldprof/esbuild';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import test from 'node:test';
import * as esbuild from 'esbuild';
import { start } from 'fieldprof';

const sources = {
  'src/a.ts': `import { shared } from './shared';
export function a(n: number): number { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + shared(i)) % 65521; return s; }
console.log('a', a(1000));`,
  'src/b.ts': `import { shared } from './shared';
console.log('b', shared(7));`,
  'src/shared.ts': `export const shared = (x: number) => { let y = x; for (let j = 0; j < 10; j++) y = (y * 7 + j) % 1000; return y; };`,
};

/** A project of its own, and the ways to build it and to look at it. */
function project(t, more = {}) {
  const root = mkdtempSync(join(import.meta.dirname, 'project-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries({ ...sources, ...more })) write(path, text);
  const options = { absWorkingDir: root, entryPoints: ['src/a.ts'], bundle: true, outdir: 'out', logLevel: 'silent' };
  return {
    root,
    write,
    options,
    build: (given = {}, plugin = {}, others = []) => esbuild.build({ ...options, ...given, plugins: [plugin && fieldprof(plugin), ...others].filter(Boolean) }),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    exists: (path) => existsSync(join(root, path)),
    tree: (path) => treeOf(join(root, path)),
    run: (path) => execFileSync(process.execPath, [join(root, path)], { encoding: 'utf8' }),
  };
}

function treeOf(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path)]));
}

const checked = /\[0\]\)&&/;
const texts = (messages) => messages.map((message) => message.text);

/** The error that a build fails with. */
async function failureOf(building) {
  try {
    await building;
  } catch (error) {
    return error.errors;
  }
  throw new assert.AssertionError({ message: 'it was to fail' });
}

test('formats and platforms run as they do without checks', async (t) => {
  for (const [format, platform, minify] of [
    ['iife', 'browser', false],
    ['iife', 'browser', true],
    ['cjs', 'node', true],
    ['esm', 'browser', false],
    ['esm', 'node', false],
    ['esm', 'neutral', true],
    ['iife', 'neutral', false],
    ['cjs', 'neutral', false],
  ]) {
    await t.test(`${format} ${platform} ${minify ? 'minified' : ''}`, async (t) => {
      const p = project(t);
      const extension = { cjs: '.cjs', esm: '.mjs', iife: '.js' }[format];
      await p.build({ format, platform, minify, outExtension: { '.js': extension } });
      assert.match(p.read('out/a' + extension).replaceAll(' ', ''), checked);
      assert.equal(p.run('out/a' + extension), 'a 36765\n');
      assert.equal(/fieldprof\/(trace|module)\.js/.test(p.read('out/a' + extension)), platform === 'browser', 'only what pages begin with brings the runtime');
    });
  }
});

test('source maps of every kind lead to the sources', async (t) => {
  const { originalPositionFor, TraceMap } = await import('@jridgewell/trace-mapping');
  for (const sourcemap of ['linked', 'external', 'inline', 'both', true, false]) {
    await t.test(String(sourcemap), async (t) => {
      const p = project(t);
      await p.build({ sourcemap });
      const code = p.read('out/a.js');
      const [, data] = /^\/\/# sourceMappingURL=data:application\/json;base64,(.*)$/m.exec(code) ?? [];
      assert.equal(data !== undefined, sourcemap === 'inline' || sourcemap === 'both');
      assert.equal(/^\/\/# sourceMappingURL=a.js.map$/m.test(code), sourcemap === 'linked' || sourcemap === true || sourcemap === false);
      const map = new TraceMap(data ? Buffer.from(data, 'base64').toString() : p.read('out/a.js.map'));
      const lines = code.split('\n');
      const line = lines.findIndex((text) => text.includes('function a('));
      const found = originalPositionFor(map, { line: line + 1, column: lines[line].indexOf('function a(') });
      assert.deepEqual([found.source, found.line], sourcemap ? ['../src/a.ts', 2] : ['fieldprof:///a.js', found.line], 'without a map, the new one leads to the clean script');
    });
  }
});

test('write: false gives what write: true writes', async (t) => {
  const p = project(t);
  const given = { entryPoints: ['src/a.ts', 'src/b.ts'], format: 'esm', splitting: true, sourcemap: true };
  const written = await p.build(given);
  assert.equal(written.outputFiles, undefined);
  assert.equal(written.metafile, undefined);
  const tree = p.tree('out');
  rmSync(join(p.root, 'out'), { recursive: true });
  const { outputFiles } = await p.build({ ...given, write: false });
  assert.equal(p.exists('out'), false);
  const given2 = Object.fromEntries(outputFiles.map((file) => [relative(join(p.root, 'out'), file.path).replaceAll('\\', '/'), Buffer.from(file.contents)]).sort(([a], [b]) => (a < b ? -1 : 1)));
  assert.deepEqual(given2, tree);
  const { text, contents, hash } = outputFiles.find((file) => file.path.endsWith('a.js'));
  assert.equal(text, Buffer.from(contents).toString());
  assert.equal(typeof hash, 'string');
});

test('plugins with a later turn may ask for the metafile, and not to write', async (t) => {
  const p = project(t);
  for (const splitting of [true, false]) {
    const [asks, seen] = [(initial) => Object.assign(initial, { metafile: true, write: false }), []];
    const plugin = { name: 'asks', setup: (build) => (asks(build.initialOptions), build.onEnd(({ metafile, outputFiles }) => void seen.push(metafile, outputFiles))) };
    await p.build({ entryPoints: ['src/a.ts'], format: 'esm', splitting }, {}, [plugin]);
    assert.deepEqual([Object.keys(seen[0].outputs).includes('out/a.js'), p.exists('out')], [true, false]);
    assert.match(seen[1].find(({ path }) => path.endsWith('a.js')).text, checked);
  }
});

test('outputs are those of the service over the clean ones, twice the same', async (t) => {
  const p = project(t, { 'src/page.css': 'body { color: red }' });
  const given = { entryPoints: ['src/a.ts', 'src/b.ts', 'src/page.css'], format: 'esm', splitting: true, sourcemap: true, platform: 'node' };
  await p.build({ ...given, outdir: 'clean' }, null);
  await p.build({ ...given, chunkNames: '[name]' }, { preset: 'precise' });
  const first = p.tree('out');
  await p.build({ ...given, chunkNames: '[name]' }, { preset: 'precise' });
  assert.deepEqual(p.tree('out'), first);
  await p.build({ ...given, chunkNames: '[name]', outdir: 'clean2' }, null);
  for (const wasm of [false, true]) {
    const service = await start({ wasm });
    const files = Object.entries(p.tree('clean2')).map(([path, contents]) => ({ path, contents: new Uint8Array(contents) }));
    const result = await service.instrument(files, { preset: 'precise' });
    await service.stop();
    assert.deepEqual(Object.fromEntries(result.files.map(({ path, contents }) => [path, Buffer.from(contents)])), first, wasm ? 'WebAssembly' : 'the program');
  }
});

test('a working directory may be a link', async (t) => {
  const p = project(t);
  symlinkSync(p.root, join(p.root, 'link'), 'junction');
  const given = { entryPoints: ['src/a.ts', 'src/b.ts'], format: 'esm', splitting: true };
  for (const stage of ['output', 'source']) {
    const trees = [];
    for (const absWorkingDir of [p.root, join(p.root, 'link')]) {
      const { warnings } = await p.build({ ...given, absWorkingDir }, { stage });
      assert.deepEqual(texts(warnings), [], stage);
      trees.push(p.tree('out'));
      rmSync(join(p.root, 'out'), { recursive: true });
    }
    assert.deepEqual(trees[1], trees[0], stage);
  }
});

test('the metafile is true', async (t) => {
  const p = project(t);
  for (const variant of ['profiled', 'both']) {
    const { metafile } = await p.build({ metafile: true, sourcemap: true, outdir: variant }, { variant });
    const written = { ...p.tree(variant) };
    const names = Object.fromEntries(Object.entries(written).map(([path, contents]) => [`${variant}/${path}`, contents.length]));
    if (variant === 'both') for (const [path, contents] of Object.entries(p.tree('both-profiled'))) names['both-profiled/' + path] = contents.length;
    const bytes = Object.fromEntries(Object.entries(metafile.outputs).map(([path, output]) => [path, output.bytes]));
    assert.deepEqual(bytes, names);
    assert.equal(metafile.outputs[`${variant}/a.js`].entryPoint, 'src/a.ts');
    assert.match(await esbuild.analyzeMetafile(metafile), /a\.js/);
  }
  const { metafile } = await p.build({ metafile: true, format: 'esm', splitting: true, outdir: 'modules' });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => !external));
  assert.deepEqual(imported.filter(({ path }) => !metafile.outputs[path]), [], 'imports of what is no output');
  assert.ok(imported.some(({ path, kind }) => path.startsWith('modules/fieldprof/') && kind === 'import-statement'));
});

test('paths are absolute where those of esbuild are', async (t) => {
  const p = project(t);
  const given = { entryPoints: ['src/a.ts', 'src/b.ts'], format: 'esm', splitting: true };
  const plain = await p.build({ ...given, metafile: true });
  const relativeTree = p.tree('out');
  const { metafile } = await p.build({ ...given, metafile: true, absPaths: ['metafile'] });
  assert.deepEqual(p.tree('out'), relativeTree, 'the same scripts carry the runtime');
  const absolute = (path) => join(p.root, path);
  assert.deepEqual(Object.keys(metafile.outputs).sort(), Object.keys(plain.metafile.outputs).map(absolute).sort());
  for (const [path, { bytes, imports }] of Object.entries(plain.metafile.outputs)) {
    const output = metafile.outputs[absolute(path)];
    assert.deepEqual([output.bytes, output.imports.map((imported) => imported.path)], [bytes, imports.map((imported) => absolute(imported.path))]);
  }
  const errors = await failureOf(p.build({ entryPoints: ['out/a.js'], absPaths: ['log'] }));
  assert.ok(errors[0].text.startsWith(`Refusing to overwrite input file ${JSON.stringify(absolute('out/a.js'))}`), errors[0].text);

  const context = await esbuild.context({ ...p.options, outdir: 'www/js', metafile: true, absPaths: ['metafile'], plugins: [fieldprof({ servedir: 'www' })] });
  t.after(() => context.dispose());
  const served = await context.rebuild();
  assert.deepEqual(Object.keys(served.metafile.outputs).filter((path) => !path.startsWith(absolute('www/js/'))), []);
});

test('hashes in names identify contents', async (t) => {
  const p = project(t);
  const names = async (plugin) => {
    rmSync(join(p.root, 'out'), { recursive: true, force: true });
    await p.build({ entryNames: '[name]-[hash]', banner: { js: '/* mine */' } }, plugin);
    return Object.keys(p.tree('out')).find((path) => /^a-\w+\.js$/.test(path));
  };
  const all = [await names(null), await names({}), await names({ preset: 'fine' }), await names({ exclude: ['none/**'] })];
  assert.equal(new Set(all).size, 4);
  assert.equal(await names({}), all[1]);
  assert.match(p.read('out/' + all[1]), /\/\* fieldprof \S+ balanced \*\/\n\/\* mine \*\//);
  assert.equal(await names({ variant: 'both' }), all[0], 'the clean output is as it is');
  await p.build({ outdir: 'plain' });
  assert.doesNotMatch(p.read('plain/a.js'), /\/\* fieldprof/);
});

test('both variants come of one build', async (t) => {
  const p = project(t);
  await p.build({ outdir: 'clean', sourcemap: true }, null);
  await p.build({ sourcemap: true }, { variant: 'both' });
  assert.deepEqual(p.tree('out'), p.tree('clean'));
  assert.match(p.read('out-profiled/a.js'), checked);
  await p.build({ sourcemap: true }, { variant: 'both', profiledOutdir: 'elsewhere/deep' });
  assert.deepEqual(p.tree('elsewhere/deep'), p.tree('out-profiled'));
  const { outputFiles } = await p.build({ write: false }, { variant: 'both' });
  assert.deepEqual(outputFiles.filter((file) => /[\\/]a\.js$/.test(file.path)).map((file) => relative(p.root, file.path).replaceAll('\\', '/')), ['out/a.js', 'out-profiled/a.js']);
});

/** A server would prefer it to the script with checks. */
test('what was compressed from a script without checks is left out', async (t) => {
  const p = project(t, { 'src/a.js.zst': 'of a.js' });
  const given = { entryPoints: { a: 'src/a.ts', 'a.js': 'src/a.js.zst' }, loader: { '.zst': 'copy' }, write: false };
  const pathsOf = ({ outputFiles }) => outputFiles.map(({ path }) => relative(join(p.root, 'out'), path));
  assert.deepEqual(pathsOf(await p.build(given, null)), ['a.js', 'a.js.zst']);
  const profiled = pathsOf(await p.build(given));
  assert.ok(profiled.includes('a.js') && !profiled.includes('a.js.zst'), String(profiled));
});

test('other plugins work before and after', async (t) => {
  const p = project(t);
  const loads = { name: 'loads', setup: (build) => build.onLoad({ filter: /shared\.ts$/ }, () => ({ contents: 'export const shared = (x) => { for (let i = 0; i < 3; i++) x += i; return x; }', loader: 'js' })) };
  const seen = [];
  const sees = { name: 'sees', setup: (build) => build.onEnd((result) => void seen.push(result.outputFiles, p.read('out/a.js'))) };
  await p.build({}, {}, [loads, sees]);
  assert.equal(seen[0], undefined, 'as with write: true');
  assert.match(seen[1], checked);
  const marks = { name: 'marks', setup: (build) => { build.initialOptions.write = false; build.onEnd((result) => { for (const file of result.outputFiles) if (file.path.endsWith('a.js')) file.contents = new TextEncoder().encode('/* marked */' + file.text); }); } };
  const result = await esbuild.build({ ...p.options, write: false, plugins: [marks, fieldprof()] });
  const { text } = result.outputFiles.find((file) => file.path.endsWith('a.js'));
  assert.match(text, /\/\* marked \*\//);
  assert.match(text, checked);
});

test('a context rebuilds: what changed is written, what went is removed', async (t) => {
  const p = project(t);
  let entry = 'a';
  const virtual = { name: 'virtual', setup: (build) => { build.onResolve({ filter: /^entry$/ }, () => ({ path: join(p.root, 'entry.js') })); build.onLoad({ filter: /entry\.js$/ }, () => ({ contents: entry === 'a' ? "import('./src/a')" : "import('./src/b')", resolveDir: p.root })); } };
  const context = await esbuild.context({ ...p.options, entryPoints: ['entry'], splitting: true, format: 'esm', plugins: [fieldprof(), virtual] });
  t.after(() => context.dispose());
  await context.rebuild();
  const first = p.tree('out');
  const time = statSync(join(p.root, 'out/fieldprof/runtime.js')).mtimeMs;
  await context.rebuild();
  assert.deepEqual(p.tree('out'), first);
  assert.equal(statSync(join(p.root, 'out/fieldprof/runtime.js')).mtimeMs, time, 'it was not written again');
  p.write('src/a.ts', sources['src/a.ts'].replace("'a'", "'changed'"));
  await context.rebuild();
  const second = p.tree('out');
  assert.notDeepEqual(second, first);
  entry = 'b';
  p.write('src/b.ts', sources['src/b.ts'] + '\nexport {};');
  await context.rebuild();
  assert.ok(!Object.keys(p.tree('out')).some((path) => /^a-/.test(path)), 'the chunk of a is gone');
  assert.ok(Object.keys(p.tree('out')).some((path) => /^b-/.test(path)));
});

test('it watches', async (t) => {
  const p = project(t);
  let built;
  const next = () => new Promise((resolve) => (built = resolve));
  const tells = { name: 'tells', setup: (build) => build.onEnd((result) => built?.(result)) };
  const context = await esbuild.context({ ...p.options, plugins: [fieldprof(), tells] });
  t.after(() => context.dispose());
  const first = next();
  await context.watch();
  await first;
  assert.match(p.read('out/a.js'), checked);
  const second = next();
  p.write('src/a.ts', sources['src/a.ts'].replace("'a'", "'watched'"));
  await second;
  assert.match(p.read('out/a.js'), /watched/);
  assert.match(p.read('out/a.js'), checked);
});

test('its server gives the files with checks', async (t) => {
  const p = project(t, { 'www/index.html': '<!doctype html><script src="js/a.js"></script>' });
  const context = await esbuild.context({ ...p.options, outdir: 'www/js', sourcemap: true, metafile: true, plugins: [fieldprof({ servedir: 'www' })] });
  t.after(() => context.dispose());
  const { port } = await context.serve({ servedir: join(p.root, 'www'), host: '127.0.0.1' });
  const get = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  assert.match(await get('/js/a.js'), checked);
  assert.match(await get('/js/fieldprof/trace.js'), /fieldprof/);
  assert.match(await get('/'), /js\/a\.js/);
  assert.equal(JSON.parse(await get('/js/a.js.map')).sources.length, 2);
  p.write('src/a.ts', sources['src/a.ts'].replace("'a'", "'served'"));
  let text = '';
  for (const end = Date.now() + 300_000; !text.includes('served') && Date.now() < end; ) text = await get('/js/a.js');
  assert.ok(text.includes('served'), 'it serves what has been rebuilt');
  const { metafile } = await context.rebuild();
  assert.deepEqual(Object.keys(metafile.outputs).filter((path) => path.startsWith('www/js/a.')).sort(), ['www/js/a.js', 'www/js/a.js.functions.json', 'www/js/a.js.map']);
  const { warnings } = await p.build({ outdir: 'www' }, { servedir: 'www' });
  assert.deepEqual(texts(warnings).map((text) => /inside the folder that it serves/.test(text)), [true]);
});

test('its server overwrites no source', async (t) => {
  const source = 'console.log("the source")';
  const p = project(t, { 'www/js/app.js': source });
  for (const allowOverwrite of [false, true]) {
    const context = await esbuild.context({ ...p.options, entryPoints: ['www/js/app.js'], outdir: 'www/js', allowOverwrite, plugins: [fieldprof({ servedir: 'www' })] });
    t.after(() => context.dispose());
    const errors = await failureOf(context.rebuild());
    assert.deepEqual(texts(errors).map((text) => /^Refusing to overwrite input file "www\/js\/app\.js"/.test(text)), [true]);
    assert.equal(p.read('www/js/app.js'), source);
  }
});

test('a build overwrites no source unless esbuild may', async (t) => {
  const source = 'while (globalThis.more) globalThis.more--;';
  const p = project(t, { 'app/app.js': source, 'made/app.js': source, 'all.js': 'import "./made/app.js"; import "./out/fieldprof/trace.js";', 'out/fieldprof/trace.js': source });
  for (const [given, plugin, wanted] of [
    [{ entryPoints: ['app/app.js'], outdir: 'app' }, {}, 'app/app.js'],
    [{ entryPoints: ['app/app.js'], outdir: undefined, outfile: 'app/app.js', metafile: true }, {}, 'app/app.js'],
    [{ entryPoints: ['all.js'] }, {}, 'out/fieldprof/trace.js'],
    [{ entryPoints: ['all.js'], entryNames: 'app' }, { variant: 'both', profiledOutdir: 'made' }, 'made/app.js'],
  ]) {
    const before = p.tree('.');
    const errors = await failureOf(p.build(given, plugin));
    assert.deepEqual(texts(errors), [`Refusing to overwrite input file "${wanted}" (use "allowOverwrite: true" to allow this)`]);
    assert.deepEqual(p.tree('.'), before);
  }
  const { outputFiles } = await p.build({ entryPoints: ['app/app.js'], outdir: 'app', write: false });
  assert.match(outputFiles[0].text, checked);
  assert.equal(p.read('app/app.js'), source);
  const { metafile } = await p.build({ entryPoints: ['app/app.js'], outdir: 'app', allowOverwrite: true });
  assert.match(p.read('app/app.js'), checked);
  assert.equal(metafile, undefined);
});

test('wrong options are errors that name what was meant', async (t) => {
  const p = project(t);
  for (const [plugin, wanted] of [
    [{ presett: 'fine' }, /unknown option "presett": did you mean "preset"\?/],
    [{ profiledOutDir: 'x' }, /unknown option "profiledOutDir": did you mean "profiledOutdir"\?/],
    [{ preset: 'fien' }, /preset.*fine.*fien/],
    [{ minStatements: 'few' }, /minStatements/],
    [{ variant: 'all' }, /option "variant" is "all": it must be "profiled" or "both"/],
    [{ strict: 'yes' }, /option "strict" is "yes": it must be true or false/],
    [{ stage: 'source', preset: 3 }, /preset/],
  ]) {
    const [error] = await failureOf(p.build({}, plugin));
    assert.match(error.text, wanted);
    assert.equal(error.pluginName, 'fieldprof');
    assert.equal(error.location, null);
  }
  assert.equal(p.exists('out'), false);
});

test('a script that cannot be read is clean, with a warning that says where', async (t) => {
  const p = project(t, { 'src/broken.txt': 'let fine = 1;\nfunction broken( { return }} /;\n' });
  const given = { entryPoints: ['src/a.ts', 'src/broken.txt'], loader: { '.txt': 'copy' }, outExtension: { '.txt': '.js' }, entryNames: '[name]' };
  const renames = { name: 'renames', setup: (build) => build.onEnd((result) => { for (const file of result.outputFiles) file.path = file.path.replace(/\.txt$/, '.js'); }) };
  const { warnings } = await esbuild.build({ ...p.options, ...given, outExtension: undefined, write: false, plugins: [renames, fieldprof()] });
  assert.equal(warnings.length, 1);
  const [{ location, pluginName }] = warnings;
  assert.deepEqual([pluginName, location.file, location.line], ['fieldprof', 'out/broken.js', 2]);
  assert.equal(location.lineText, 'function broken( { return }} /;');
  const errors = await failureOf(esbuild.build({ ...p.options, ...given, outExtension: undefined, write: false, plugins: [renames, fieldprof({ strict: true })] }));
  assert.deepEqual(errors.map((error) => error.location.file), ['out/broken.js']);
});

test('errors of the build stay its own', async (t) => {
  const p = project(t, { 'src/a.ts': "import './missing';" });
  const errors = await failureOf(p.build());
  assert.deepEqual(texts(errors), ['Could not resolve "./missing"']);
  assert.equal(p.exists('out'), false);
});

test('without a service the build is as without the plugin', async (t) => {
  const p = project(t);
  await p.build({ outdir: 'clean', entryNames: '[name]-[hash]' }, null);
  process.env.FIELDPROF_BINARY = join(p.root, 'no-such-program');
  t.after(() => delete process.env.FIELDPROF_BINARY);
  const { warnings } = await p.build({ entryNames: '[name]-[hash]' });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0].text, /no-such-program.*; the output is clean/s);
  assert.deepEqual(p.tree('out'), p.tree('clean'));
  rmSync(join(p.root, 'out'), { recursive: true });
  assert.equal((await failureOf(p.build({}, { strict: true }))).length, 1);
  assert.equal(p.exists('out'), false);
});

test('a service that dies is one error, and the next build has another', { skip: process.platform === 'win32' }, async (t) => {
  const p = project(t);
  const context = await esbuild.context({ ...p.options, plugins: [fieldprof()] });
  t.after(() => context.dispose());
  await context.rebuild();
  for (const id of services()) process.kill(id, 'SIGKILL');
  p.write('src/a.ts', sources['src/a.ts'] + '\nconsole.log(1);');
  const { warnings } = await context.rebuild();
  assert.equal(warnings.length, 1);
  assert.doesNotMatch(p.read('out/a.js'), checked);
  assert.deepEqual((await context.rebuild()).warnings, []);
  assert.match(p.read('out/a.js'), checked);
  assert.deepEqual((await context.rebuild()).warnings, []);
  assert.match(p.read('out/a.js'), checked);
});

/** The processes that we have started and that are services. */
function services() {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n').map((row) => row.trim().split(/\s+/));
  return rows.filter(([, parent, ...args]) => Number(parent) === process.pid && args.includes('service')).map(([id]) => Number(id));
}

test('contexts that are done leave no process', { skip: process.platform === 'win32' }, async (t) => {
  const p = project(t);
  const context = await esbuild.context({ ...p.options, plugins: [fieldprof()] });
  await context.rebuild();
  assert.ok(services().length > 0);
  await context.dispose();
  for (const end = Date.now() + 300_000; services().length > 0 && Date.now() < end; ) await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(services(), []);
});

test('an output that cannot be written is an error', { skip: process.platform === 'win32' || process.getuid() === 0 }, async (t) => {
  const p = project(t);
  mkdirSync(join(p.root, 'out'));
  chmodSync(join(p.root, 'out'), 0o555);
  const errors = await failureOf(p.build());
  assert.match(errors[0].text, /^Failed to write the output: cannot write out\/a\.js: permission denied/);
});

test('an output keeps the permissions of the file whose place it takes', { skip: process.platform === 'win32' }, async (t) => {
  const p = project(t);
  await p.build({ outdir: 'both' }, { variant: 'both' });
  for (const path of ['both/a.js', 'both-profiled/a.js']) chmodSync(join(p.root, path), 0o750);
  p.write('src/a.ts', sources['src/a.ts'].replace("'a'", "'changed'"));
  await p.build({ outdir: 'both' }, { variant: 'both' });
  for (const path of ['both/a.js', 'both-profiled/a.js']) {
    assert.match(p.read(path), /changed/);
    assert.equal(statSync(join(p.root, path)).mode & 0o777, 0o750, path);
  }
});

test('nothing half-written takes the place of an output', async (t) => {
  const p = project(t);
  mkdirSync(join(p.root, 'out/a.js'), { recursive: true }); // a folder where the file is to go
  const errors = await failureOf(p.build());
  assert.match(errors[0].text, /^Failed to write the output/);
  assert.deepEqual(Object.keys(p.tree('out')).filter((path) => path.endsWith('.tmp')), []);
});

test('a build without a folder says that it is clean', async (t) => {
  const p = project(t);
  const { outputFiles, warnings } = await p.build({ outdir: undefined, write: false });
  assert.doesNotMatch(outputFiles[0].text, checked);
  assert.match(warnings[0].text, /"outdir" or "outfile"/);
});

test('sources can be instrumented instead', async (t) => {
  const p = project(t, {
    'tsconfig.json': '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h", "experimentalDecorators": true } }',
    'src/a.tsx': `import { shared } from './shared';
function log(_: unknown, name: string) { console.log('decorated', name); }
class Widget { @log render() { let s = 0; for (let i = 0; i < 3; i++) s += shared(i); return h('p', s); } }
function h(tag: string, _props: unknown, ...children: unknown[]) { return tag + children.join(); }
console.log(new Widget().render(), <b>bold</b>);`,
  });
  const given = { entryPoints: ['src/a.tsx'], sourcemap: true };
  await p.build({ ...given, outdir: 'clean' }, null);
  await p.build(given, { stage: 'source', preset: 'precise' });
  assert.equal(p.run('out/a.js'), p.run('clean/a.js'));
  assert.match(p.read('out/a.js').replaceAll(' ', ''), checked);
  const { sources: names } = JSON.parse(p.read('out/a.js.map'));
  assert.ok(names.includes('../src/a.tsx') && names.includes('../src/shared.ts'), String(names));
  const errors = await failureOf(p.build(given, { stage: 'source', variant: 'both' }));
  assert.match(errors[0].text, /stage "source"/);
});

test('require gives the plugin, too', () => {
  const require = createRequire(import.meta.url);
  const required = require('@fieldprof/esbuild');
  assert.equal(required({}).name, 'fieldprof');
  assert.equal(required.default, required);
});
