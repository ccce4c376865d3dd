package house

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// folders lists, from the ground up, each folder of TypeScript and those whose files
// its own may import; types count as much as values.
var folders = []struct {
	folder  string
	imports []string
}{
	{"runtime/src/core", nil},
	{"runtime/src/stacks", nil},
	{"runtime/src/clock", []string{"runtime/src/core"}},
	{"runtime/src/recording", []string{"runtime/src/core", "runtime/src/stacks", "runtime/src/clock"}},
	{"runtime/src/trace", []string{"runtime/src/core", "runtime/src/stacks", "runtime/src/recording"}},
	{"runtime/src", []string{"runtime/src/trace"}}, // declarations of what a realm has
	{"runtime/src/api", []string{"runtime/src/core", "runtime/src/recording"}},
	{"runtime/src/interactions", []string{"runtime/src/core", "runtime/src/recording", "runtime/src/trace"}},
	{"runtime/src/mozilla", []string{"runtime/src/core", "runtime/src/stacks", "runtime/src/recording", "runtime/src/trace"}},
	{"runtime/src/live", []string{"runtime/src/core", "runtime/src/stacks", "runtime/src/recording", "runtime/src/trace", "runtime/src/interactions"}},
	{"runtime/src/send", []string{"runtime/src/core", "runtime/src/interactions", "runtime/src/recording", "runtime/src/trace"}},
	{"runtime/src/node", []string{"runtime/src/core", "runtime/src/recording", "runtime/src/stacks", "runtime/src/trace"}},
	{"runtime/src/run", []string{"runtime/src/core", "runtime/src/clock", "runtime/src/recording", "runtime/src/trace", "runtime/src/live", "runtime/src/node"}},
	{"runtime/src/counting", []string{"runtime/src/core", "runtime/src/node"}},
	{"runtime/src/entry", []string{"runtime/src/core", "runtime/src/counting", "runtime/src/stacks", "runtime/src/recording", "runtime/src/trace", "runtime/src/api", "runtime/src/interactions", "runtime/src/mozilla", "runtime/src/live", "runtime/src/send", "runtime/src/node"}},
	{"profile/report/src", nil},
	{"profile/report/src/live", []string{"profile/report/src"}},
	{"collect/ui/src", []string{"profile/report/src"}},
	{"npm/fieldprof/src", nil},
	{"npm/wasm/src", nil},
	{"npm/plugin", nil},
	{"npm/esbuild/src", []string{"npm/plugin"}},
	{"npm/unplugin/src", []string{"npm/plugin"}},
}

var relativeImport = regexp.MustCompile(`(?:from|import)\s*\(?\s*["'](\.[^"']*)["']`)

// sources gives the TypeScript that ships, by path, with the files that each imports.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	root := os.DirFS("../..")
	for _, top := range []string{"runtime/src", "profile/report/src", "collect", "npm"} {
		must.Do(t, fs.WalkDir(root, top, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && slices.Contains([]string{"node_modules", "dist", "examples"}, entry.Name()):
				return fs.SkipDir
			case entry.IsDir() || path.Ext(file) != ".ts":
				return nil
			}
			text, err := fs.ReadFile(root, file)
			found[file] = nil
			for _, match := range relativeImport.FindAllSubmatch(text, -1) {
				if imported := path.Join(path.Dir(file), string(match[1])); path.Ext(imported) != ".js" { // Go's wasm_exec.js
					found[file] = append(found[file], imported+".ts")
				}
			}
			return err
		}))
	}
	if len(found) < 100 {
		t.Fatalf("only %d files were found", len(found))
	}
	return found
}

func TestTypeScriptImportsPointOneWay(t *testing.T) {
	allowed := map[string][]string{}
	for _, f := range folders {
		for _, to := range f.imports {
			if _, ok := allowed[to]; !ok {
				t.Errorf("%s may import %s, which is not listed before it", f.folder, to)
			}
		}
		allowed[f.folder] = f.imports
	}
	unused := map[[2]string]bool{}
	for from, imports := range allowed {
		for _, to := range imports {
			unused[[2]string{from, to}] = true
		}
	}
	all := sources(t)
	for file, imports := range all {
		from := path.Dir(file)
		if _, ok := allowed[from]; !ok {
			t.Errorf("%s is in a folder that is not listed", file)
		}
		for _, imported := range imports {
			if _, ok := all[imported]; !ok {
				t.Errorf("%s imports %s, which does not exist", file, imported)
			}
			to := path.Dir(imported)
			delete(unused, [2]string{from, to})
			if to != from && !slices.Contains(allowed[from], to) {
				t.Errorf("%s imports %s: %s may use %v", file, imported, from, allowed[from])
			}
		}
	}
	for pair := range unused {
		t.Errorf("%s may import %s, and does not", pair[0], pair[1])
	}
}

func TestTypeScriptHasNoImportCycles(t *testing.T) {
	all := sources(t)
	const open, done = 1, 2
	state := map[string]int{}
	var way []string
	var visit func(file string)
	visit = func(file string) {
		switch state[file] {
		case done:
			return
		case open:
			t.Errorf("cycle: %s", strings.Join(slices.Concat(way[slices.Index(way, file):], []string{file}), " -> "))
			return
		}
		state[file] = open
		way = append(way, file)
		for _, imported := range all[file] {
			visit(imported)
		}
		way = way[:len(way)-1]
		state[file] = done
	}
	for file := range all {
		visit(file)
	}
}

// A name says which file is meant.
func TestRuntimeFilesHaveNamesOfTheirOwn(t *testing.T) {
	named := map[string]string{}
	for file := range sources(t) {
		if !strings.HasPrefix(file, "runtime/") {
			continue
		}
		if other, ok := named[path.Base(file)]; ok {
			t.Errorf("%s and %s have one name", other, file)
		}
		named[path.Base(file)] = file
	}
}
