package transform

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/golden"
	"github.com/fieldprof/fieldprof/internal/must"
)

// Golden files show what becomes of a source: prose that says why, then
//
//	-- in.js --      the source (in.mjs: a module; in.cjs: a function body)
//	-- goja.js --    for target goja
//	-- web.js --     for target web
//	-- compact.js -- for target web in the compact form
//	-- sites --      the function table in words
//
// A line "preset: NAME" in the prose chooses the preset; it is precise unless
// told. "bound: N" has functions with N checked ones declare the names; "train"
// asks for a counting build; "page" for a module that a page with the runtime loads.
// Outputs that are not in the file are not compared.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, f golden.File) {
		options := Options{Selection: Selection{Preset: Precise}}
		for line := range strings.SplitSeq(string(f.Comment), "\n") {
			if name, ok := strings.CutPrefix(line, "preset: "); ok {
				options.Preset = must.Get(ParsePreset(name))(t)
			}
			if n, ok := strings.CutPrefix(line, "bound: "); ok {
				options.fewestBound = must.Get(strconv.Atoi(n))(t)
			}
			options.Train = options.Train || line == "train"
			options.Preloaded = options.Preloaded || line == "page"
			options.Acyclic = options.Acyclic || line == "page"
		}
		compareOutputs(t, f, options)
	})
}

// compareOutputs compares each output of a golden file.
func compareOutputs(t *testing.T, f golden.File, options Options) {
	source := f.Files[0]
	options.File = source.Name
	switch filepath.Ext(source.Name) {
	case ".mjs":
		options.Goal = Module
	case ".cjs":
		options.Goal = FunctionBody
	}
	for i, file := range f.Files[1:] {
		o := options
		if file.Name == "goja.js" || file.Name == "sites" && options.Goal != Module {
			o.Target = Goja
		}
		if file.Name == "compact.js" {
			o.Form = Compact
		}
		result := must.Get(Transform(source.Data, o))(t)
		assertReversible(t, source.Data, result)
		got := string(result.Code)
		if file.Name == "sites" {
			got = describeTable(result)
		}
		f.Compare(t, 1+i, got)
	}
}

// describeTable writes the function table and the warnings in words.
func describeTable(r Result) string {
	var b strings.Builder
	for _, w := range r.Warnings {
		fmt.Fprintf(&b, "warning: %v\n", w)
	}
	for _, f := range r.Table.Functions {
		name := f.Name
		if name == "" {
			name = "(" + f.Inferred + ")"
		}
		if f.Kind == functable.Script {
			name = "(top level)"
		}
		sites := []string{"unchecked"}
		if f.Sites != 0 {
			sites = strings.Split(f.Sites.String(), ",")
		}
		if f.FilledFirst {
			sites = append(sites, "filled-first")
		}
		fmt.Fprintf(&b, "%d:%d-%d:%d %s, statements %d: %s\n", f.Start.Line, f.Start.Column, f.End.Line, f.End.Column, name, f.Statements, strings.Join(sites, " "))
	}
	return b.String()
}

// assertReversible checks what every result must hold: deleting the insertions
// gives the source back, and no line moved.
func assertReversible(t testing.TB, src []byte, r Result) {
	t.Helper()
	if got := Delete(r.Code, r.Insertions); string(got) != string(src) {
		t.Fatalf("deleting the insertions gives\n%q\nnot the source\n%q", got, src)
	}
	for _, i := range r.Insertions {
		if text := string(r.Code[i.Offset : i.Offset+i.Length]); strings.ContainsAny(text, "\r\n\u2028\u2029") {
			t.Fatalf("insertion %q breaks a line", text)
		}
	}
}
