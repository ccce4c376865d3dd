package transform

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/fieldprof/fieldprof/functable"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden files show what becomes of a source: prose that says why, then
//
//	-- in.js --      the source (in.mjs: a module; in.cjs: a function body)
//	-- goja.js --    for target goja
//	-- web.js --     for target web
//	-- compact.js -- for target web in the compact form
//	-- sites --      the function table in words
//
// A line "preset: NAME" in the prose chooses the preset; it is precise unless
// told. "bound: N" has functions with N checked ones declare the names. Outputs that are not in the file are not compared.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			options := Options{Selection: Selection{Preset: Precise}}
			for _, line := range strings.Split(string(archive.Comment), "\n") {
				if name, ok := strings.CutPrefix(line, "preset: "); ok {
					if options.Preset, err = ParsePreset(name); err != nil {
						t.Fatal(err)
					}
				}
				if n, ok := strings.CutPrefix(line, "bound: "); ok {
					if options.fewestBound, err = strconv.Atoi(n); err != nil {
						t.Fatal(err)
					}
				}
			}
			golden(t, archive, options)
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// golden compares, or updates, each output of one archive.
func golden(t *testing.T, archive *txtar.Archive, options Options) {
	source := archive.Files[0]
	options.File = source.Name
	switch filepath.Ext(source.Name) {
	case ".mjs":
		options.Goal = Module
	case ".cjs":
		options.Goal = FunctionBody
	}
	for i := range archive.Files[1:] {
		file := &archive.Files[i+1]
		o := options
		if file.Name == "goja.js" || file.Name == "sites" && options.Goal != Module {
			o.Target = Goja
		}
		if file.Name == "compact.js" {
			o.Form = Compact
		}
		result, err := Transform(source.Data, o)
		if err != nil {
			t.Fatal(err)
		}
		assertReversible(t, source.Data, result)
		got := string(result.Code)
		if file.Name == "sites" {
			got = describeTable(result)
		}
		if *update {
			file.Data = []byte(got)
		} else if got != string(file.Data) {
			t.Errorf("%s:\n%s\nwant:\n%s", file.Name, got, file.Data)
		}
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
