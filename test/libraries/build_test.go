package libraries

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// checksModule is where ES modules find the object that runtime.cjs makes.
const checksModule = "data:text/javascript,export const{flag,entry,loop,exit}=globalThis.__fieldprof"

// left are the files that are not instrumented: the checks, and their runners.
var left = []string{"node_modules/tape/", "node_modules/commonmark-spec/", "node_modules/json-schema-test-suite/", "/test/", "/tests/"}

// unused are folders that no check gets to, left out since they are large.
var unused = []string{
	"three/examples", "three/src", "mathjs/lib/browser", "mathjs/lib/cjs", "mathjs/types",
	"rxjs/src", "rxjs/dist/bundles", "rxjs/dist/esm", "rxjs/dist/esm5", "zod/src", "@babel/types", "ramda/dist",
}

// build makes a copy of the programs and of node_modules, instrumented, and
// returns how many files that changed.
func build(t *testing.T, root string, options transform.Options) int {
	t.Helper()
	must.Do(t, os.CopyFS(filepath.Join(root, "programs"), os.DirFS("programs")))
	type job struct{ from, to string }
	jobs := make(chan job)
	var group sync.WaitGroup
	counts := make([]int, runtime.GOMAXPROCS(0))
	failures := make([]error, len(counts))
	for i := range counts {
		group.Go(func() {
			for j := range jobs {
				changed, err := instrument(j.from, j.to, options)
				if changed {
					counts[i]++
				}
				failures[i] = errors.Join(failures[i], err)
			}
		})
	}
	err := filepath.WalkDir("node_modules", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(root, path)
		switch {
		case d.IsDir() && (d.Name() == ".bin" || isUnused(path)):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case d.Type().IsRegular() && isLoaded(path):
			jobs <- job{path, to}
		}
		return nil
	})
	close(jobs)
	group.Wait()
	must.Do(t, errors.Join(append(failures, err)...))
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

func isUnused(path string) bool {
	for _, folder := range unused {
		if path == filepath.FromSlash("node_modules/"+folder) {
			return true
		}
	}
	return false
}

// isLoaded reports whether Node may load a file, or a check read it.
func isLoaded(path string) bool {
	for _, suffix := range []string{".map", ".ts", ".mts", ".cts", ".min.js"} {
		if strings.HasSuffix(path, suffix) {
			return false
		}
	}
	return true
}

// instrument copies one file. Scripts that Node reads must not be left alone.
func instrument(from, to string, options transform.Options) (changed bool, err error) {
	code, err := os.ReadFile(from)
	if err != nil {
		return false, err
	}
	if isScript(from) {
		options.File, options.ChecksModule = from, checksModule
		switch filepath.Ext(from) {
		case ".mjs":
			options.Goal = transform.Module
		case ".cjs":
			options.Goal = transform.FunctionBody
		}
		result, err := transform.Transform(code, options)
		if err != nil {
			return false, err
		}
		for _, w := range result.Warnings {
			return false, errors.New(w.String())
		}
		code, changed = result.Code, len(result.Insertions) > 0
	}
	return changed, os.WriteFile(to, code, 0o644)
}

func isScript(path string) bool {
	for _, part := range left {
		if strings.Contains(filepath.ToSlash(path), part) {
			return false
		}
	}
	switch filepath.Ext(path) {
	case ".js", ".mjs", ".cjs":
		return true
	}
	return false
}
