package transform

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// A byte order mark at the beginning has no column where engines get the source without it,
// in the function table and in maps.
func TestMarkedSources(t *testing.T) {
	const src = "const outer=n=>{while(n--);return()=>n};const other=function(){while(1)outer()}\nfunction third(){while(1);}"
	theirs := []byte(`{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,YCAA,mCAAA"}`)
	theirs = bytes.Replace(theirs, []byte(`["a.ts"]`), []byte(`["a.ts","b.ts"]`), 1)
	for name, c := range map[string]struct {
		options Options
		keeps   int32
	}{
		"module":         {Options{Goal: Module}, 0},
		"with a map":     {Options{Goal: Module, SourceMap: theirs}, 0},
		"with a new map": {Options{Goal: Module, MapTo: "a.js"}, 0},
		"classic":        {Options{Goal: Script}, 0},
		"CommonJS":       {Options{Goal: FunctionBody}, 1},
		"maybe CommonJS": {Options{Require: "./checks.cjs"}, 1},
		"of a goja host": {Options{Target: Goja, Goal: Script}, 1},
	} {
		unmarked := must.Get(Transform([]byte(src), c.options))(t)
		marked := must.Get(Transform([]byte("\ufeff"+src), c.options))(t)
		for i, want := range unmarked.Table.Functions {
			got := marked.Table.Functions[i]
			if want.Start.Line == 1 && i > 0 {
				want.Start.Column += c.keeps
			}
			if want.Definition.Line == 1 && i > 0 {
				want.Definition.Column += c.keeps
			}
			if got.Start != want.Start || got.Definition != want.Definition {
				t.Errorf("%s: %s begins at %v, defined at %v; want %v and %v", name, want.Name, got.Start, got.Definition, want.Start, want.Definition)
			}
		}
		if c.options.SourceMap == nil && c.options.MapTo == "" {
			continue
		}
		got, want := must.Get(sourcemap.Parse(marked.Map))(t), must.Get(sourcemap.Parse(unmarked.Map))(t)
		for line := range 2 {
			for column := range 400 {
				from, ok := got.Find(line, column)
				if to, wantOK := want.Find(line, column); from != to || ok != wantOK {
					t.Fatalf("%s: %d:%d is %v, not %v", name, line, column, from, to)
				}
			}
		}
	}
}

// Maps lead from where Node says that a call is to where it is in the source.
func TestMarkedSourcesInNode(t *testing.T) {
	node := must.HaveNode(t)
	const src = "const f=n=>{while(n--);return new Error('here').stack};console.log(f(1))"
	for name, c := range map[string]struct {
		options Options
		mark    int
	}{
		"a.mjs": {Options{Goal: Module, Preloaded: true, Acyclic: true, MapTo: "a.mjs"}, 0},
		"a.cjs": {Options{Goal: FunctionBody, MapTo: "a.cjs"}, 1},
	} {
		result := clean(t, []byte("\ufeff"+src), c.options)
		file := filepath.Join(t.TempDir(), name)
		must.WriteFile(t, file, string(result.Code))
		stack := string(must.Get(exec.Command(node, file).Output())(t))
		column := must.Get(strconv.Atoi(regexp.MustCompile(`:1:(\d+)\)?\n`).FindStringSubmatch(stack)[1]))(t)
		found, _ := must.Get(sourcemap.Parse(result.Map))(t).Find(0, column-1)
		if want := strings.Index(src, "new Error") + c.mark; len(result.Insertions) == 0 || int(found.Column) != want {
			t.Errorf("%s: column %d is %d of the source, not %d: %s", name, column, found.Column, want, stack)
		}
	}
}
