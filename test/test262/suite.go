package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// mode is how a test is to be run; a test may ask for two.
type mode string

const (
	sloppy mode = "sloppy"
	strict mode = "strict" // with a "use strict" directive put first
	module mode = "module"
	raw    mode = "raw" // as it is, without the harness
)

// test is one test in one mode.
type test struct {
	path     string // below DIR/test, with slashes
	mode     mode
	source   []byte
	module   bool
	async    bool
	includes []string
	negative string // the phase in which it must fail, if it must
}

var suites = []string{"language", "annexB"}

// listTests finds the tests whose path matches, in order.
func listTests(root string, match *regexp.Regexp) ([]string, error) {
	var paths []string
	for _, suite := range suites {
		err := filepath.WalkDir(filepath.Join(root, "test", suite), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(filepath.Join(root, "test"), path)
			if err != nil {
				return err
			}
			relative = filepath.ToSlash(relative)
			if d.Type().IsRegular() && strings.HasSuffix(path, ".js") && !isFixture(path) && match.MatchString(relative) {
				paths = append(paths, relative)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%w: name a checkout of tc39/test262", err)
		}
	}
	return paths, nil
}

// isFixture reports whether a file only serves tests.
func isFixture(path string) bool { return strings.Contains(filepath.Base(path), "_FIXTURE") }

// readTest gives a file once for each mode it asks for.
func readTest(root, path string) ([]test, error) {
	source, err := os.ReadFile(filepath.Join(root, "test", filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	front, err := frontmatter(source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	flags := list(front, "flags")
	has := func(flag string) bool { return slices.Contains(flags, flag) }
	base := test{path: path, source: source, module: has("module"), async: has("async"), negative: phase(front), includes: []string{}}
	if !has("raw") {
		base.includes = []string{"assert.js", "sta.js"}
		if base.async {
			base.includes = append(base.includes, "doneprintHandle.js")
		}
		base.includes = append(base.includes, list(front, "includes")...)
	}
	modes := []mode{sloppy, strict}
	switch {
	case has("raw"):
		modes = []mode{raw}
	case has("module"):
		modes = []mode{module}
	case has("onlyStrict"):
		modes = []mode{strict}
	case has("noStrict"):
		modes = []mode{sloppy}
	}
	tests := make([]test, len(modes))
	for i, m := range modes {
		tests[i] = base
		tests[i].mode = m
		if m == strict {
			tests[i].source = append([]byte("\"use strict\";\n"), source...)
		}
	}
	return tests, nil
}

// frontmatter cuts the YAML out of a test.
func frontmatter(source []byte) (string, error) {
	_, rest, found := strings.Cut(string(source), "/*---")
	front, _, closed := strings.Cut(rest, "---*/")
	if !found || !closed {
		return "", fmt.Errorf("no frontmatter between /*--- and ---*/")
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(front), nil
}

// list reads a list of words, written in brackets or one a line.
func list(front, key string) []string {
	at := regexp.MustCompile(`(?m)^` + key + `:[ \t]*(?:\[([^\]]*)\]|((?:\n[ \t]+-[^\n]*)+))`).FindStringSubmatch(front)
	if at == nil {
		return nil
	}
	separator := func(r rune) bool { return r == ',' || r == '\n' }
	var words []string
	for _, word := range strings.FieldsFunc(at[1]+at[2], separator) {
		if word = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(word), "-")); word != "" {
			words = append(words, word)
		}
	}
	return words
}

var negativePhase = regexp.MustCompile(`(?m)^negative:\s*\n(?:[ \t]+[^\n]*\n)*?[ \t]+phase:[ \t]*(\w+)`)

func phase(front string) string {
	if at := negativePhase.FindStringSubmatch(front); at != nil {
		return at[1]
	}
	return ""
}
