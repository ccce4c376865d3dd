package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"
)

//go:embed exceptions.txt
var committedExceptions string

// exceptions are the tests that may differ, with the reason. One that no longer
// differs is stale, and fails the run like a difference.
type exceptions struct {
	reasons map[string]string
	seen    map[string]bool // the test was run
	used    map[string]bool // and differed
}

// readExceptions reads lines "path: reason"; # begins a comment.
func readExceptions(text string) (*exceptions, error) {
	e := &exceptions{map[string]string{}, map[string]bool{}, map[string]bool{}}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		path, reason, found := strings.Cut(line, ": ")
		if !found || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("exceptions.txt:%d: %q: write path: reason", n, line)
		}
		if _, twice := e.reasons[path]; twice {
			return nil, fmt.Errorf("exceptions.txt:%d: %s is listed twice", n, path)
		}
		e.reasons[path] = reason
	}
	return e, lines.Err()
}

// excuse notes a result and reports whether its difference is excepted.
func (e *exceptions) excuse(path string, differs bool) bool {
	_, listed := e.reasons[path]
	if listed {
		e.seen[path] = true
		e.used[path] = e.used[path] || differs
	}
	return listed
}

// stale lists the exceptions whose tests ran and did not differ.
func (e *exceptions) stale() []string {
	var paths []string
	for path := range e.seen {
		if !e.used[path] {
			paths = append(paths, path)
		}
	}
	return paths
}
