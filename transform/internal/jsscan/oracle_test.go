package jsscan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

const oracleDir = "testdata/oracle"

// haveOracle skips the test in short runs, which look for races: it has none.
func haveOracle(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("the oracle's files are scanned one after the other")
	}
	fixtures.EnsureIn(t, oracleDir)
}

// The oracle compares this package with acorn over the files that the packages
// in testdata/oracle/package.json hold: every one with FIELDPROF_FULL=1, else
// one in sampleOf.
const sampleOf = 12

// request is one file for the oracle.
type request struct {
	File string `json:"file"`
	Goal Goal   `json:"goal"`
}

// MarshalText writes the goal as the oracle reads it.
func (g Goal) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// answer is the oracle's word on one file.
type answer struct {
	File   string `json:"file"`
	Error  string `json:"error"`
	Syntax bool   `json:"syntax"`
	Bytes  int    `json:"bytes"`
	text   []byte
}

// ask runs one process of the oracle over all requests and calls each with its
// answer, in order.
func ask(t *testing.T, requests []request, each func(request, answer)) {
	t.Helper()
	must.AskNodeEach(t, requests, func(r request, line []byte, more *bufio.Reader) {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil || a.File != r.File {
			t.Fatalf("the oracle answered %q for %s: %v", line, r.File, err)
		}
		a.text = make([]byte, a.Bytes)
		must.Get(io.ReadFull(more, a.text))(t)
		each(r, a)
	}, "--stack-size=30000", filepath.Join(oracleDir, "oracle.mjs"))
}

// scripts lists the script files under dir.
func scripts(t testing.TB, dir string) (requests []request) {
	t.Helper()
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != dir && d.Name() == "test262-parser-tests" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if slices.Contains([]string{".js", ".mjs", ".cjs"}, filepath.Ext(path)) {
			requests = append(requests, request{path, goalOf(path)})
		}
		return nil
	}))
	return requests
}

// compare scans one file and reports how it differs from the oracle's answer.
// It returns the number of functions compared, -1 if the oracle refused the file.
func compare(t *testing.T, r request, a answer) int {
	t.Helper()
	src := must.Get(os.ReadFile(r.File))(t)
	if a.Error != "" && !a.Syntax {
		t.Errorf("%s: the oracle failed: %s", r.File, a.Error)
		return -1
	}
	if a.Error != "" || !utf8.Valid(src) {
		return -1
	}
	script, err := Scan(src, Options{Goal: r.Goal})
	if err != nil {
		offset := 0
		if se := (*SyntaxError)(nil); errors.As(err, &se) {
			offset = se.Offset
		}
		t.Errorf("%s: %v\n%s", r.File, err, around(src, offset))
		return 0
	}
	if got := dump(script); got != string(a.text) {
		t.Errorf("%s: %s", r.File, firstDifference(src, got, string(a.text)))
	}
	return len(script.Functions)
}

// around returns the text of src near offset.
func around(src []byte, offset int) string {
	return strings.ToValidUTF8(string(src[max(0, offset-60):min(len(src), offset)])+"⟨here⟩"+string(src[offset:min(len(src), offset+60)]), "?")
}

func firstDifference(src []byte, got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] == w[i] {
			continue
		}
		offset := 0
		for _, line := range []string{w[i], g[i]} {
			var word string
			if _, err := fmt.Sscanf(strings.TrimSpace(line), "%s %d", &word, &offset); err == nil {
				break
			}
		}
		return fmt.Sprintf("line %d\n got %s\nwant %s\n%s", i, g[i], w[i], around(src, min(offset, len(src))))
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// compareAll compares files with acorn's reading and counts those that it refused, which must
// still be read if they are valid.
func compareAll(t *testing.T, requests []request, valid bool) (files, refused int) {
	t.Helper()
	functions, size := 0, int64(0)
	ask(t, requests, func(r request, a answer) {
		if n := compare(t, r, a); n >= 0 {
			files++
			functions += n
			size += must.Get(os.Stat(r.File))(t).Size()
			return
		}
		refused++
		if src := must.Get(os.ReadFile(r.File))(t); valid {
			if _, err := Scan(src, Options{Goal: r.Goal}); err != nil {
				t.Errorf("%s: %v (acorn: %s)\n%s", r.File, err, a.Error, src)
			}
		}
	})
	t.Logf("%d files, %d functions, %.1f MB compared; %d files refused by acorn", files, functions, float64(size)/1e6, refused)
	return files, refused
}

// TestAcornAgrees compares every detail with acorn over real packages.
func TestAcornAgrees(t *testing.T) {
	haveOracle(t)
	all := scripts(t, filepath.Join(oracleDir, "node_modules"))
	full := os.Getenv("FIELDPROF_FULL") != ""
	var picked []request
	for i, r := range all {
		if full || i%sampleOf == 0 {
			picked = append(picked, r)
		}
	}
	if len(picked) < 500 {
		t.Fatalf("only %d files to compare", len(picked))
	}
	if files, refused := compareAll(t, picked, false); refused*100 > files {
		t.Errorf("acorn refused %d of %d files", refused, len(picked))
	}
}

// TestParserTests compares with acorn over test262-parser-tests, which hold one
// construct a file. Files that acorn refuses must still be read.
func TestParserTests(t *testing.T) {
	haveOracle(t)
	root := filepath.Join(oracleDir, "node_modules", "test262-parser-tests")
	var requests []request
	for _, dir := range []string{"pass", "pass-explicit"} {
		for _, r := range scripts(t, filepath.Join(root, dir)) {
			r.Goal = AsScript
			if strings.HasSuffix(r.File, ".module.js") {
				r.Goal = AsModule
			}
			requests = append(requests, r)
		}
	}
	if files, _ := compareAll(t, requests, true); files < 2500 {
		t.Errorf("only %d files compared", files)
	}
}

// TestTest262 reads a checkout of tc39/test262 in the folder that TEST262
// names: every test that must parse is read, and compared with acorn where
// acorn reads it. Tests that must not parse only must not crash.
func TestTest262(t *testing.T) {
	root := os.Getenv("TEST262")
	if root == "" {
		t.Skip("TEST262 names no checkout of test262")
	}
	haveOracle(t)
	var requests []request
	refusedRight := 0
	for _, dir := range []string{"language", "annexB", "staging"} {
		for _, r := range scripts(t, filepath.Join(root, "test", dir)) {
			src := must.Get(os.ReadFile(r.File))(t)
			head, _, _ := bytes.Cut(src, []byte("---*/"))
			if strings.Contains(r.File, "_FIXTURE") {
				continue
			}
			r.Goal = AsScript
			if regexp.MustCompile(`flags:\s*(\[[^\]]*\bmodule\b|(- \w+\s+)*- module)`).Match(head) {
				r.Goal = AsModule
			}
			if regexp.MustCompile(`negative:\s+phase: parse`).Match(head) {
				if _, err := Scan(src, Options{Goal: r.Goal}); err != nil {
					refusedRight++
				}
				continue
			}
			requests = append(requests, r)
		}
	}
	compareAll(t, requests, true)
	t.Logf("%d files refused that must be", refusedRight)
}
