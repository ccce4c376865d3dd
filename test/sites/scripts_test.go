package sites

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
)

// script is an instrumented script beside its original, as testdata/oracle.mjs
// takes it.
type script struct {
	File       string     `json:"file"`
	Goal       string     `json:"goal"`
	Code       string     `json:"code"`
	Source     string     `json:"source"`
	Insertions [][2]int   `json:"insertions"` // offset and length in Code, UTF-16
	Functions  [][4]int32 `json:"functions"`
	Map        *string    `json:"map"`
	SourceMap  *string    `json:"sourceMap"`
}

// compareScripts holds every instrumented script to its original.
func compareScripts(t *testing.T, b *build) {
	var scripts []script
	for p := range instrumentedScripts(t, b) {
		if s := readScript(t, b, p); s != nil {
			scripts = append(scripts, *s)
		}
	}
	if len(scripts) == 0 {
		t.Fatal("no script is instrumented")
	}
	input := must.Get(json.Marshal(scripts))(t)
	cmd := exec.Command("node", "oracle.mjs")
	cmd.Dir = testdata()
	cmd.Stdin = bytes.NewReader(input)
	cmd.Stderr = os.Stderr
	output := must.Get(cmd.Output())(t)
	answer := must.JSON[struct {
		Counts struct{ Scripts, Functions, Tokens, Mapped int }
		Faults []string
	}](t, output)
	for _, fault := range answer.Faults {
		t.Error(fault)
	}
	t.Logf("compared %+v", answer.Counts)
}

// instrumentedScripts gives the paths of the scripts with checks, as the
// manifest lists them.
func instrumentedScripts(t *testing.T, b *build) map[string]bool {
	t.Helper()
	manifest := must.JSON[struct{ Scripts []string }](t, read(t, b.profiled, "fieldprof/manifest.json"))
	listed := map[string]bool{}
	for _, p := range manifest.Scripts {
		listed[p] = true
	}
	return listed
}

// readScript reads a script of the copy and what belongs to it, and instruments
// the original once more to know where the insertions are.
func readScript(t *testing.T, b *build, p string) *script {
	t.Helper()
	source, code := read(t, b.original, p), read(t, b.profiled, p)
	source, keeps := withKept(source, code)
	result := again(source, code, p)
	if result == nil {
		t.Errorf("%s: no way of instrumenting it gives what was written", p)
		return nil
	}
	if !bytes.Equal(transform.Delete(neutral(code)[:len(result.Code)], result.Insertions), neutral(source)[:len(stripped(source))]) {
		t.Errorf("%s: deleting the insertions does not give the source back", p)
	}
	table, err := functable.Decode(read(t, b.profiled, p+".functions.json"))
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	s := &script{File: p, Goal: "script", Code: string(code), Source: string(source)}
	if module.Match(code) {
		s.Goal = "module"
	}
	for _, f := range table.Functions {
		s.Functions = append(s.Functions, [4]int32{f.Start.Line, f.Start.Column, f.End.Line, f.End.Column})
	}
	at, units := 0, 0
	for _, i := range result.Insertions {
		units += textpos.Units(code[at:i.Offset])
		length := textpos.Units(code[i.Offset : i.Offset+i.Length])
		s.Insertions = append(s.Insertions, [2]int{units, length})
		at, units = i.Offset+i.Length, units+length
	}
	s.Map, s.SourceMap = mapOf(t, b.profiled, p), mapOf(t, b.original, p)
	if s.Map == nil {
		t.Errorf("%s has no source map", p)
	}
	if keeps {
		s.Map = nil // it no longer compares with the original's
	}
	return s
}

// kept is what a service worker's list gains: the runtime.
var kept = regexp.MustCompile(`(?:\{url:"[^"]*fieldprof/(?:runtime|checks|module)\.js",revision:"[0-9a-f]{32}"\},){3}`)

// withKept gives a service worker's source with what its list gained.
func withKept(source, code []byte) ([]byte, bool) {
	at := kept.FindIndex(code)
	if at == nil {
		return source, false
	}
	list := code[at[0]-16 : at[0]] // the text before the list
	return bytes.Replace(source, list, slices.Concat(list, code[at[0]:at[1]]), 1), true
}

func read(t *testing.T, dir, p string) []byte {
	t.Helper()
	return must.Get(fs.ReadFile(os.DirFS(dir), p))(t)
}

// mapOf gives the source map of a script: inline, where it says, or beside it.
func mapOf(t *testing.T, dir, p string) *string {
	t.Helper()
	code := read(t, dir, p)
	url := sourcemap.URL(code)
	if strings.HasPrefix(url, "data:") {
		data, err := sourcemap.Inline(code)
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		text := string(data)
		return &text
	}
	at := p + ".map"
	if url != "" {
		at = path.Join(path.Dir(p), url)
	}
	data, err := os.ReadFile(filepath.Join(dir, at))
	if err != nil {
		if url != "" {
			t.Errorf("%s: %v", p, err)
		}
		return nil
	}
	text := string(data)
	return &text
}

var (
	// bound is where a module declares the names, whose suffix it finds, or else the first check.
	bound = regexp.MustCompile(`\bflag(?: as |:)\$f(\w*)(?:=\[0,0\])?\}|typeof _\$f(\w*)<|\$f(\w*)\[1\]=`)
	// module is how an instrumented module begins.
	module = regexp.MustCompile(`^(?:import(?:\{flag as |")|const\{flag:|var\{\}=typeof _|function \$f\w*\(v\)\{return v\}\()`)
)

// again instruments a source with the names and paths that the code has, in
// every way there is, until one gives the code; nil if none does.
func again(source, code []byte, p string) *transform.Result {
	names := bound.FindSubmatch(code)
	if names == nil {
		return nil
	}
	suffix := string(slices.Concat(names[1:]...))
	up := strings.Repeat("../", strings.Count(p, "/"))
	if up == "" {
		up = "./"
	}
	for _, goal := range []transform.Goal{transform.Auto, transform.Script, transform.Module, transform.FunctionBody} {
		for _, load := range []transform.Options{{}, {Acyclic: true}, {Acyclic: true, Preloaded: true}, {Preloaded: true}, {Acyclic: true, Entry: true}, {Loader: up + "fieldprof/runtime.js"}, {Require: up + "fieldprof/checks.cjs"}, {Loader: up + "fieldprof/runtime.js", Require: up + "fieldprof/checks.cjs"},
			{Entry: true}, {Entry: true, Loader: up + "fieldprof/runtime.js"}} {
			load.File, load.Goal, load.Preset = p, goal, transform.Precise
			load.Bindings = &runtime.Bindings{Flag: "_$f" + suffix, Capture: "_$c" + suffix, Value: "$r" + suffix}
			switch load.ChecksModule = up + "fieldprof/checks.js"; {
			case load.Entry && load.Acyclic:
				load.ChecksModule = up + "fieldprof/runtime.js"
			case load.Entry:
				load.ChecksModule = up + "fieldprof/module.js"
			}
			result, err := transform.Transform(source, load)
			if err == nil && bytes.Equal(stripped(neutral(result.Code)), stripped(neutral(code))) {
				result.Code = stripped(result.Code)
				return &result
			}
		}
	}
	return nil
}

var (
	digest  = regexp.MustCompile(`sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}|\b[0-9a-f]{32}\b`)
	comment = regexp.MustCompile(`(?:\s*//# sourceMappingURL=\S*)?\s*$`)
)

// neutral has zeros for digests of other files, which follow their contents.
func neutral(code []byte) []byte {
	return digest.ReplaceAllFunc(slices.Clone(code), func(d []byte) []byte { return bytes.Repeat([]byte{'0'}, len(d)) })
}

// stripped is without the URL of its map, which may be new, and the space there.
func stripped(code []byte) []byte { return comment.ReplaceAll(code, nil) }
