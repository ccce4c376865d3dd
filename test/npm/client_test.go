package npm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

// tree is a small site, as files on a disk.
var tree = map[string]string{
	"app.js":       "function app(list) { for (const f of list) f(); return list }\napp([() => 1]);\n",
	"broken.js":    "let = }\n",
	"data/ä b.txt": "text",
	"index.html":   "<!doctype html><script src=app.js></script>",
	"worker.mjs":   "export function work(list) { for (const f of list) f(); return list }\n",
}

// instruments is a program that reads dist/ and writes what the client gives to
// out/; the service is started as its argument says.
const instruments = `
const fs = %s('node:fs'), path = %s('node:path');
const { start } = %s('fieldprof');
const files = fs.readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name))
  .map((name) => ({ path: path.relative('dist', name), contents: fs.readFileSync(name) }));
const service = await start(JSON.parse(process.argv[2]));
const { files: made, warnings, report } = await service.instrument(files, { preset: 'precise' });
for (const { path: name, contents } of made) {
  fs.mkdirSync(path.dirname('out/' + name), { recursive: true });
  fs.writeFileSync('out/' + name, contents);
}
const again = await service.instrument(files, { preset: 'precise' });
const same = again.files.every(({ contents }, i) => contents === made[i].contents);
const target = { into: path.resolve('written'), base: process.cwd() };
const there = () => fs.readdirSync('written', { recursive: true }).map((name) => fs.statSync('written/' + name).mtimeMs).join();
if (service.disk) {
  const told = (await service.write(files, target, { preset: 'precise' })).files;
  const before = there();
  await service.write(files, target, { preset: 'precise' });
  if (there() !== before || !told.every(({ path, size }, i) => path === made[i].path && size === made[i].contents.length)) console.log('written otherwise');
} else {
  await service.write(files, target).then(() => console.log('written by whom?'), (error) => fs.cpSync(/see the disk/.test(error.message) ? 'out' : '', 'written', { recursive: true }));
}
console.log(service.version, report.preset, same, JSON.stringify(warnings), await service.salt({ preset: 'precise' }));
await service.stop();
`

// The client gives what the command line writes, from modules and CommonJS, from
// the program and from WebAssembly.
func TestClient(t *testing.T) {
	folder := packages.Install(t, nil, "fieldprof", packages.Platform, "fieldprof-wasm")
	for name, text := range tree {
		must.Write(t, folder, "dist/"+name, text)
	}
	want := filepath.Join(folder, "dist-profiled")
	must.Run(t, folder, "node_modules/.bin/instrument", "dist", "--preset", "precise", "--no-sizes")
	must.Write(t, folder, "uses.mjs", strings.ReplaceAll(instruments, "%s(", "await import("))
	must.Write(t, folder, "uses.cjs", "(async () => {"+strings.ReplaceAll(instruments, "%s(", "require(")+"})();")
	said := release.Version + ` precise true [{"text":"unexpected }; left uninstrumented","location":{"file":"broken.js","line":1,"column":6}}] fieldprof ` + release.Version + " precise\n"
	for _, program := range []string{"uses.mjs", "uses.cjs"} {
		for _, how := range []string{"{}", `{"wasm":true}`} {
			out := filepath.Join(folder, "out")
			if got := must.Run(t, folder, "node", program, how); got != said {
				t.Errorf("%s %s said %s", program, how, got)
			}
			sameTree(t, out, want)
			written := filepath.Join(folder, "written")
			sameTree(t, written, want)
			os.RemoveAll(out)
			os.RemoveAll(written)
		}
	}
	t.Run("has types", func(t *testing.T) { testClientTypes(t, folder) })
}

// rewrites changes a Buffer in place, and asks again.
const rewrites = `
import { start } from 'fieldprof';
const service = await start();
const contents = Buffer.from('function f() { for (;;) a() }');
await service.instrument([{ path: 'a.js', contents }]);
contents.write('function g');
const { files } = await service.instrument([{ path: 'a.js', contents }]);
console.log(Buffer.from(files.find(({ path }) => path === 'a.js').contents).toString().includes('function g'));
await service.stop();
`

// The client keeps copies of what it has sent: callers may change theirs.
func TestContentsAreCopied(t *testing.T) {
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	must.Write(t, folder, "rewrites.mjs", rewrites)
	must.Equal(t, must.Run(t, folder, "node", "rewrites.mjs"), "true\n")
}

// crowds asks much more at once than a service answers at a time, and takes a request back that waits.
const crowds = `
import { start } from 'fieldprof';
const service = await start();
const bytes = (i) => new TextEncoder().encode('function f' + i + '() { for (;;) a() }');
const enough = new AbortController();
const asked = Array.from({ length: 200 }, (_, i) => service.instrument([{ path: 'a.js', contents: bytes(i) }], {}, i === 150 ? { signal: enough.signal } : {}));
enough.abort(new Error('enough'));
const answers = await Promise.allSettled([...asked, service.salt()]);
const wrong = answers.slice(0, 200).filter(({ value }, i) => i !== 150 && !Buffer.from(value?.files[0].contents ?? '').toString().includes('function f' + i + '('));
console.log(wrong.length, answers[150].reason?.message, answers[200].status);
await service.stop();
`

// Requests wait for their turn if there are more than the service answers at a time.
func TestManyRequests(t *testing.T) {
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	must.Write(t, folder, "crowds.mjs", crowds)
	must.Equal(t, must.Run(t, folder, "node", "crowds.mjs"), "0 enough fulfilled\n")
}

// sameTree compares two folders.
func sameTree(t *testing.T, got, want string) {
	t.Helper()
	gotFiles, wantFiles := must.ReadTree(t, got), must.ReadTree(t, want)
	for name, text := range wantFiles {
		if gotFiles[name] != text {
			t.Errorf("%s is %d bytes, not %d, or others", name, len(gotFiles[name]), len(text))
		}
	}
	if len(gotFiles) != len(wantFiles) || len(wantFiles) <= len(tree) {
		t.Errorf("%d files, not %d", len(gotFiles), len(wantFiles))
	}
}

func testClientTypes(t *testing.T, folder string) {
	const text = `
import { FieldprofError, start, type Options, type Result, type Service, type Target, type Written } from 'fieldprof';
const options: Options = { preset: 'fine', maxGzip: '3%', checks: ['entry'], sample: 0.01 };
const service: Promise<Service> = start({ wasm: true });
const result: Promise<Result> = service.then((s) => s.instrument([{ path: 'a.js', contents: new Uint8Array() }], options, { signal: new AbortController().signal }));
void result.then(({ warnings: [{ location }] }) => location?.line.toFixed());
const target: Target = { into: '/tmp/dist', careful: true };
const written: Promise<Written> = service.then((s) => s.write([{ path: 'a.js', contents: new Uint8Array() }], target, options));
void written.then(({ files: [{ path, size }] }) => path + size.toFixed());
const option: string | undefined = new FieldprofError('text').option;
void option;
// @ts-expect-error: there is no such preset
const wrong: Options = { preset: 'best' };
void wrong;
`
	hasTypes(t, folder, text)
}

// hasTypes checks a program against the types of the packages, as a module and as
// CommonJS, by the rules of Node and of bundlers.
func hasTypes(t *testing.T, folder, program string) {
	t.Helper()
	tsc := filepath.Join(packages.Top(), "test/lint/node_modules/.bin/tsc")
	for _, file := range []string{"types.mts", "types.cts"} {
		must.Write(t, folder, file, program)
		must.Run(t, folder, tsc, "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--module", "nodenext", file)
	}
	must.Run(t, folder, tsc, "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--module", "esnext", "--moduleResolution", "bundler", "types.mts")
}

// wrongCalls are calls and what the errors say.
const wrongCalls = `
import fs from 'node:fs';
import { FieldprofError, start } from 'fieldprof';
const service = await start();
const file = { path: 'a.js', contents: new TextEncoder().encode('f()') };
fs.writeFileSync('taken', '');
const hung = new AbortController();
hung.abort(new Error('enough'));
for (const call of [
  () => service.instrument([file], { presett: 'fine' }),
  () => service.salt({ preset: () => 'fine' }),
  () => service.salt({ exclude: /vendor/ }),
  () => service.salt({ minStatements: NaN }),
  () => service.salt('fine'),
  () => service.instrument(file),
  () => service.instrument([{ path: 'a.js', contents: 'f()' }]),
  () => service.instrument([{ contents: file.contents }]),
  () => service.instrument([file, file]),
  () => service.instrument([{ ...file, path: '../a.js' }]),
  () => service.instrument([file], {}, { signal: hung.signal }),
  () => service.write([file], { into: 'dist' }),
  () => service.write([file], { into: process.cwd() + '/taken', base: process.cwd() }),
]) {
  try {
    await call();
    console.log('no error');
  } catch (error) {
    console.log(error instanceof FieldprofError, error.option ?? error.writing, error.message);
  }
}
console.log((await service.instrument([file])).files.length > 1);
`

func TestWrongCalls(t *testing.T) {
	folder := packages.Install(t, nil, "fieldprof", packages.Platform)
	must.Write(t, folder, "wrong.mjs", wrongCalls)
	const want = `true presett unknown option "presett": did you mean "preset"?
true preset option "preset" takes "classic", "balanced", "fine" or "precise", not {"type":"function"}
true exclude option "exclude" takes a list of globs, such as ["node_modules/**"], not {"type":"RegExp","source":"vendor"}
true minStatements option "minStatements" takes a number of statements, such as 10, not {"type":"NaN"}
true undefined options are an object, such as {preset: 'fine'}, not "fine"
true undefined files are an array of { path, contents }
true undefined the contents of a.js are not a Uint8Array
true undefined files[0].path is not a string
true undefined a.js occurs twice
true undefined "../a.js" is not the path of a file below the root: write it with slashes, without . and .. folders
false undefined enough
true undefined "dist" is no absolute path of a folder to write to
true true cannot write taken/a.js: not a directory
true
`
	if got := must.Run(t, folder, "node", "wrong.mjs"); got != want {
		t.Errorf("%s", got)
	}
}
