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
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/fixtures"
)

const oracleDir = "testdata/oracle"

// The oracle compares this package with acorn over the files that the packages
// in testdata/oracle/package.json hold: every one with FIELDPROF_FULL=1, else
// one in sampleOf.
const sampleOf = 12

// needOracle installs the packages of the oracle, acorn among them, when they
// are missing.
func needOracle(t testing.TB) {
	t.Helper()
	fixtures.EnsureIn(t, oracleDir)
}

// request is one file for the oracle.
type request struct {
	File string `json:"file"`
	Goal string `json:"goal"`
	goal Goal
}

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
	cmd := exec.Command("node", "--stack-size=30000", filepath.Join(oracleDir, "oracle.mjs"))
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, r := range requests {
		if err := enc.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReaderSize(out, 1<<20)
	for _, req := range requests {
		line, err := r.ReadBytes('\n')
		if err != nil {
			_ = cmd.Wait()
			t.Fatalf("the oracle ended before %s: %v\n%s", req.File, err, stderr.Bytes())
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil || a.File != req.File {
			t.Fatalf("the oracle answered %q for %s: %v", line, req.File, err)
		}
		a.text = make([]byte, a.Bytes)
		if _, err := io.ReadFull(r, a.text); err != nil {
			t.Fatal(err)
		}
		each(req, a)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
}

// scripts lists the script files under dir.
func scripts(t testing.TB, dir string) (requests []request) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != dir && d.Name() == "test262-parser-tests" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		r := request{File: path}
		switch filepath.Ext(path) {
		case ".js":
			r.goal = Auto
		case ".mjs":
			r.goal = AsModule
		case ".cjs":
			r.goal = AsFunctionBody
		default:
			return nil
		}
		r.Goal = r.goal.String()
		requests = append(requests, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return requests
}

// compare scans one file and reports how it differs from the oracle's answer.
// It returns the number of functions compared, -1 if the oracle refused the file.
func compare(t *testing.T, r request, a answer) int {
	t.Helper()
	src, err := os.ReadFile(r.File)
	if err != nil {
		t.Error(err)
		return -1
	}
	if a.Error != "" && !a.Syntax {
		t.Errorf("%s: the oracle failed: %s", r.File, a.Error)
		return -1
	}
	if a.Error != "" || !utf8.Valid(src) {
		return -1
	}
	script, err := Scan(src, Options{Goal: r.goal})
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
	for i := 0; i < len(g) && i < len(w); i++ {
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

// TestAcornAgrees compares every detail with acorn over real packages.
func TestAcornAgrees(t *testing.T) {
	needOracle(t)
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
	var files, functions, refused, size int
	ask(t, picked, func(r request, a answer) {
		n := compare(t, r, a)
		if n < 0 {
			refused++
			return
		}
		if info, err := os.Stat(r.File); err == nil {
			size += int(info.Size())
		}
		files++
		functions += n
	})
	t.Logf("%d files, %d functions, %.1f MB compared; %d files refused by acorn", files, functions, float64(size)/1e6, refused)
	if refused*100 > files {
		t.Errorf("acorn refused %d of %d files", refused, len(picked))
	}
}

// TestParserTests compares with acorn over test262-parser-tests, which hold one
// construct a file. Those that acorn refuses must be read all the same.
func TestParserTests(t *testing.T) {
	needOracle(t)
	root := filepath.Join(oracleDir, "node_modules", "test262-parser-tests")
	var requests []request
	for _, dir := range []string{"pass", "pass-explicit"} {
		for _, r := range scripts(t, filepath.Join(root, dir)) {
			r.goal = AsScript
			if strings.HasSuffix(r.File, ".module.js") {
				r.goal = AsModule
			}
			r.Goal = r.goal.String()
			requests = append(requests, r)
		}
	}
	var files, functions, refused int
	ask(t, requests, func(r request, a answer) {
		n := compare(t, r, a)
		if n >= 0 {
			files++
			functions += n
			return
		}
		refused++
		src, err := os.ReadFile(r.File)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Scan(src, Options{Goal: r.goal}); err != nil {
			t.Errorf("%s: %v\n%s", r.File, err, src)
		}
	})
	t.Logf("%d files, %d functions compared; %d files refused by acorn", files, functions, refused)
	if files < 2500 {
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
	needOracle(t)
	var requests []request
	refusedRight := 0
	for _, dir := range []string{"language", "annexB", "staging"} {
		for _, r := range scripts(t, filepath.Join(root, "test", dir)) {
			src, err := os.ReadFile(r.File)
			if err != nil {
				t.Fatal(err)
			}
			head, _, _ := bytes.Cut(src, []byte("---*/"))
			if strings.Contains(r.File, "_FIXTURE") {
				continue
			}
			r.goal = AsScript
			if regexp.MustCompile(`flags:\s*(\[[^\]]*\bmodule\b|(- \w+\s+)*- module)`).Match(head) {
				r.goal = AsModule
			}
			if regexp.MustCompile(`negative:\s+phase: parse`).Match(head) {
				if _, err := Scan(src, Options{Goal: r.goal}); err != nil {
					refusedRight++
				}
				continue
			}
			r.Goal = r.goal.String()
			requests = append(requests, r)
		}
	}
	var files, functions, alone, failed int
	ask(t, requests, func(r request, a answer) {
		if n := compare(t, r, a); n >= 0 {
			files++
			functions += n
			return
		}
		alone++
		src, err := os.ReadFile(r.File)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Scan(src, Options{Goal: r.goal}); err != nil {
			failed++
			t.Errorf("%s: %v (acorn: %s)", r.File, err, a.Error)
		}
	})
	t.Logf("%d files, %d functions compared; %d files that acorn refused, %d of them refused here; %d files refused that must be", files, functions, alone, failed, refusedRight)
}
