package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

const parserDir = "testdata/parser"

// program is one text for the parser.
type program struct {
	Module bool   `json:"module"`
	Code   string `json:"code"`
	name   string
}

// TestParserTests instruments every program of test262-parser-tests, which hold
// one construct each, in every way there is. Each result must parse, and be its
// source again without the insertions. CI runs this part of test262.
func TestParserTests(t *testing.T) {
	fixtures.EnsureIn(t, parserDir)
	sources := parserTests(t)
	refused := map[string]bool{}
	for i, wrong := range parse(t, sources) {
		if wrong != "" {
			refused[sources[i].name] = true // newer or older than the parser
		}
	}
	var results []program
	for _, source := range sources {
		if !refused[source.name] {
			results = append(results, everyResult(t, source)...)
		}
	}
	for i, wrong := range parse(t, results) {
		if wrong != "" {
			t.Errorf("%s: %s\n%s", results[i].name, wrong, results[i].Code)
		}
	}
	t.Logf("%d programs, %d refused by acorn, %d results", len(sources), len(refused), len(results))
	if len(sources)-len(refused) < 2500 || len(results) < 4000 {
		t.Errorf("only %d programs and %d results", len(sources)-len(refused), len(results))
	}
}

// parserTests reads the programs that must parse.
func parserTests(t *testing.T) []program {
	var sources []program
	for _, folder := range []string{"pass", "pass-explicit"} {
		paths := must.Get(filepath.Glob(filepath.Join(parserDir, "node_modules", "test262-parser-tests", folder, "*.js")))(t)
		for _, path := range paths {
			code := must.Get(os.ReadFile(path))(t)
			name := folder + "/" + filepath.Base(path)
			sources = append(sources, program{strings.HasSuffix(path, ".module.js"), string(code), name})
		}
	}
	return sources
}

// everyResult instruments a program with every preset, for the web in both
// forms and for goja; results that are the source are left out.
func everyResult(t *testing.T, source program) []program {
	t.Helper()
	src := []byte(source.Code)
	var results []program
	for _, way := range []transform.Options{{}, {Selection: transform.Selection{Form: transform.Compact}}, {Target: transform.Goja}} {
		if way.Target == transform.Goja && source.Module {
			continue // goja runs none
		}
		for _, preset := range []transform.Preset{transform.Classic, transform.Balanced, transform.Fine, transform.Precise} {
			name := fmt.Sprintf("%s, target %d, %v, %v", source.name, way.Target, way.Form, preset)
			options := way
			options.File, options.Preset, options.Goal = source.name, preset, transform.Script
			if source.Module {
				options.Goal = transform.Module
			}
			result, err := transform.Transform(src, options)
			if err != nil || len(result.Warnings) > 0 {
				t.Errorf("%s: %v %v\n%s", name, err, result.Warnings, src)
				continue
			}
			if got := transform.Delete(result.Code, result.Insertions); !bytes.Equal(got, src) {
				t.Errorf("%s: deleting the insertions of\n%s\ngives\n%s", name, result.Code, got)
			}
			if !bytes.Equal(result.Code, src) {
				results = append(results, program{source.Module, string(result.Code), name})
			}
		}
	}
	return results
}

// parse gives what acorn finds wrong with each program.
func parse(t *testing.T, programs []program) []string {
	t.Helper()
	var in bytes.Buffer
	for _, p := range programs {
		must.Do(t, json.NewEncoder(&in).Encode(p))
	}
	cmd := exec.Command("node", "parse.mjs")
	cmd.Dir, cmd.Stdin, cmd.Stderr = parserDir, &in, t.Output()
	out := must.Get(cmd.Output())(t)
	var wrong []string
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		wrong = append(wrong, lines.Text())
	}
	if len(wrong) != len(programs) {
		t.Fatalf("%d answers for %d programs", len(wrong), len(programs))
	}
	return wrong
}
