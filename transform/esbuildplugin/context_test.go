package esbuildplugin

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
)

func newContext(t *testing.T, options api.BuildOptions) api.BuildContext {
	t.Helper()
	context, err := api.Context(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(context.Dispose)
	return context
}

// Each rebuild gives what a build from nothing gives, and the files that are as
// they were stay untouched; those that are gone go.
func TestRebuilds(t *testing.T) {
	dir := app.write(t)
	dist := filepath.Join(dir, "dist")
	options := usual(dir, New(Options{}))
	options.Write, options.Splitting, options.ChunkNames, options.Sourcemap = true, true, "chunk-[hash]", api.SourceMapLinked
	context := newContext(t, options)
	must.Do(t, os.Mkdir(dist, 0o755))
	steps := []project{
		{},
		{},
		{"lazy.js": "export function lazy(n) { while (n--) globalThis.lazy = 'changed'; return n; }\n"},
		{"lib.ts": "export const work = (n: number) => { while (n--); let $f = 1, $c = 2; return $f + $c + n };\n"}, // other bindings
		{"page.ts": "globalThis.other = 1;\n"},
		app,
	}
	for i, change := range steps {
		for name, text := range change {
			must.WriteFile(t, filepath.Join(dir, name), text)
		}
		before := times(t, dist)
		result := context.Rebuild()
		if len(result.Errors)+len(result.Warnings) > 0 {
			t.Fatal(result.Errors, result.Warnings)
		}
		got := outputs(t, dist, result.OutputFiles)
		must.Match(t, fmt.Sprintf("step %d, on disk", i), must.ReadTree(t, dist), got)
		clean := options
		clean.Write, clean.Plugins = false, []api.Plugin{New(Options{})}
		must.Match(t, fmt.Sprintf("step %d, from nothing", i), got, outputs(t, dist, build(t, clean).OutputFiles))
		if i == 1 && !maps.Equal(before, times(t, dist)) {
			t.Error("files were written that had not changed")
		}
	}
}

// times are when files were written.
func times(t *testing.T, folder string) map[string]time.Time {
	all := map[string]time.Time{}
	for path := range must.ReadTree(t, folder) {
		all[path] = must.Get(os.Stat(filepath.Join(folder, path)))(t).ModTime()
	}
	return all
}

// A file that someone changed or removed is written again.
func TestRebuildMendsTheOutput(t *testing.T) {
	dir := app.write(t)
	dist := filepath.Join(dir, "dist")
	options := usual(dir, New(Options{}))
	options.Write = true
	context := newContext(t, options)
	want := outputs(t, dist, context.Rebuild().OutputFiles)
	must.WriteFile(t, filepath.Join(dist, "app.js"), "other")
	must.Do(t, os.Remove(filepath.Join(dist, "fieldprof", "trace.js")))
	context.Rebuild()
	must.Match(t, "mended", must.ReadTree(t, dist), want)
}

// esbuild's server answers with what the build gave, checks and runtime included.
func TestServe(t *testing.T) {
	for _, write := range []bool{false, true} {
		dir := app.write(t)
		options := usual(dir, New(Options{}))
		options.Write, options.Outdir = write, "www/js"
		must.WriteFile(t, filepath.Join(dir, "www", "index.html"), "<p>page")
		context := newContext(t, options)
		server := must.Get(context.Serve(api.ServeOptions{Host: "127.0.0.1", Servedir: filepath.Join(dir, "www")}))(t)
		get := func(path string) string {
			response := must.Get(http.Get(fmt.Sprintf("http://127.0.0.1:%d/%s", server.Port, path)))(t)
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != http.StatusOK {
				t.Errorf("write %t: %s: %s, %v", write, path, response.Status, err)
			}
			return string(text)
		}
		must.Contain(t, "app.js", get("js/app.js"), "$f.c.c(1)", `"./fieldprof/module.js"`)
		if get("js/fieldprof/module.js") == "" || get("js/app.js.functions.json") == "" || get("index.html") != "<p>page" {
			t.Errorf("write %t: what came with the checks is missing", write)
		}
		must.WriteFile(t, filepath.Join(dir, "lib.ts"), "export function work(n: number) { while (n--) globalThis.served = n; return n }\n")
		text := ""
		for range 6000 { // for a moment the server remembers its last build
			if text = get("js/app.js"); strings.Contains(text, "globalThis.served = n") {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		must.Contain(t, "the change", text, "globalThis.served = n", "$f.c.c(1)")
		if write {
			must.Contain(t, "app.js on disk", must.ReadTree(t, filepath.Join(dir, "www", "js"))["app.js"], "$f.c.c(1)")
		}
	}
}

// A watching context writes what changed, with checks.
func TestWatch(t *testing.T) {
	dir := app.write(t)
	dist := filepath.Join(dir, "dist")
	ended := make(chan []api.OutputFile, 16)
	options := usual(dir, New(Options{}), onEnd("told", func(result *api.BuildResult) { ended <- result.OutputFiles }))
	options.Write = true
	context := newContext(t, options)
	must.Do(t, context.Watch(api.WatchOptions{}))
	wait := func() map[string]string {
		select {
		case files := <-ended:
			return outputs(t, dist, files)
		case <-time.After(5 * time.Minute):
			t.Fatal("the watcher sees no change")
		}
		return nil
	}
	first := wait()
	must.Match(t, "first", must.ReadTree(t, dist), first)
	must.WriteFile(t, filepath.Join(dir, "lib.ts"), "export function work(n: number) { while (n--) globalThis.watched = n; return n }\n")
	got := wait()
	must.Match(t, "changed", must.ReadTree(t, dist), got)
	must.Contain(t, "app.js", got["app.js"], "globalThis.watched = n", "$f.c.c(1)")
}

// A context that is disposed of leaves nothing: none of our goroutines, no temporary file.
func TestDisposedContextsLeaveNothing(t *testing.T) {
	dir := app.write(t)
	options := usual(dir, New(Options{}))
	options.Write = true
	context := newContext(t, options)
	context.Rebuild()
	context.Dispose()
	left := ourGoroutines()
	for i := 0; len(left) > 0 && i < 30000; i++ { // five minutes, for what hangs
		time.Sleep(10 * time.Millisecond)
		left = ourGoroutines()
	}
	for _, stack := range left {
		t.Errorf("left behind: %s", stack)
	}
	for path := range must.ReadTree(t, dir) {
		if strings.HasSuffix(path, ".tmp") {
			t.Errorf("left behind: %s", path)
		}
	}
}

// ourGoroutines are the stacks of goroutines in the transform, except for the tests'.
func ourGoroutines() (stacks []string) {
	buffer := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(buffer[:runtime.Stack(buffer, true)]), "\n\n") {
		if strings.Contains(stack, "fieldprof/transform/") && !strings.Contains(stack, "esbuildplugin.Test") {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// An output that cannot be written is one clear error, and none of the files that
// could is half there.
func TestUnwritableOutput(t *testing.T) {
	dir := app.write(t)
	must.WriteFile(t, filepath.Join(dir, "dist", "fieldprof"), "a file where the runtime's folder goes")
	options := usual(dir, New(Options{}))
	options.Write = true
	result := api.Build(options)
	if len(result.Errors) != 1 || !strings.HasPrefix(result.Errors[0].Text, "cannot write dist/fieldprof/") || result.Errors[0].PluginName != "fieldprof" {
		t.Fatalf("the errors are %+v", result.Errors)
	}
	if got := slices.Collect(maps.Keys(must.ReadTree(t, filepath.Join(dir, "dist")))); len(got) != 1 {
		t.Errorf("it left %v", got)
	}
}

func TestReadOnlyOutput(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("whoever runs this may write anywhere")
	}
	dir := app.write(t)
	must.WriteFile(t, filepath.Join(dir, "dist", "app.js"), "before")
	must.Do(t, os.Chmod(filepath.Join(dir, "dist"), 0o555))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "dist"), 0o755) })
	options := usual(dir, New(Options{}))
	options.Write = true
	if result := api.Build(options); len(result.Errors) != 1 || !strings.Contains(result.Errors[0].Text, "permission denied") {
		t.Errorf("the errors are %+v", result.Errors)
	}
	must.Match(t, "after", must.ReadTree(t, filepath.Join(dir, "dist")), map[string]string{"app.js": "before"})
}

// An entry with a hashbang is a program.
func TestProgramsCanBeRun(t *testing.T) {
	dir := project{"cli.js": "#!/usr/bin/env node\nfor (let i = 0; i < 9; i++) console.log(i)\n"}.write(t)
	build(t, api.BuildOptions{EntryPoints: []string{"cli.js"}, AbsWorkingDir: dir, Outfile: "out/cli", Bundle: true, Platform: api.PlatformNode, Write: true, Plugins: []api.Plugin{New(Options{})}})
	info, err := os.Stat(filepath.Join(dir, "out", "cli"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o100 == 0 {
		t.Errorf("%v, %v", info, err)
	}
}
