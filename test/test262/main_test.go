package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// run runs the driver over testdata/suite.
func run(t *testing.T, match, excepted string) summary {
	t.Helper()
	must.Have(t, "node")
	root := must.Get(filepath.Abs("testdata/suite"))(t)
	o := options{root: root, workers: 2, log: t.Output()}
	must.Do(t, o.match.UnmarshalText([]byte(match)))
	o.exceptions = must.Get(readExceptions(excepted))(t)
	return must.Get(o.run())(t)
}

func TestSuite(t *testing.T) {
	sum := run(t, "", "language/text.js: knows its own place\n")
	if !sum.good() {
		t.Errorf("not good: %v", &sum)
	}
	// never.js fails, exits.js crashes: the same way in every variant.
	if sum.files != 12 || sum.tests != 15 || sum.passed != 13 || sum.excepted != 1 || sum.valid != 14 {
		t.Errorf("%v: %d files, %d tests, %d passed, %d excepted, %d valid", &sum, sum.files, sum.tests, sum.passed, sum.excepted, sum.valid)
	}
	if sum.captured != 8 {
		t.Errorf("checks captured in %d tests", sum.captured)
	}
}

func TestDifferenceFails(t *testing.T) {
	sum := run(t, "text", "")
	if sum.good() || sum.differences != 1 || len(sum.differing) != 4 { // balanced leaves it alone
		t.Fatalf("%v: %+v", &sum, sum.differing)
	}
	want := difference{"language/text.js", "sloppy", "precise idle", "pass", "runtime: TypeError: other text, at a later column", false}
	if sum.differing[0] != want {
		t.Errorf("got %+v, want %+v", sum.differing[0], want)
	}
}

func TestStaleExceptionFails(t *testing.T) {
	sum := run(t, "loop", "language/loop.js: no reason at all\nlanguage/text.js: not run\n")
	if sum.good() || sum.stale != 1 || sum.differences != 0 {
		t.Errorf("%v", &sum)
	}
}

func TestNothingRunFails(t *testing.T) {
	if sum := run(t, "no such test", ""); sum.good() {
		t.Errorf("%v", &sum)
	}
}

// One test in a thousand may be left alone, if Node reads it at all.
func TestTestsLeftAlone(t *testing.T) {
	empty := must.Get(readExceptions(""))(t)
	o := options{exceptions: empty, log: t.Output()}
	read := result{test: test{path: "read.js"}, answers: []answer{{Outcome: "pass", Parsed: true}}}
	unread := read
	unread.unread = "unread.js:1:1: unexpected a"
	var sum summary
	o.judge(&sum, unread)
	for range 999 {
		o.judge(&sum, read)
	}
	if !sum.good() || sum.unread != 1 {
		t.Errorf("1 in 1000: %v", &sum)
	}
	unread.answers = []answer{{Outcome: "parse: SyntaxError: a"}}
	o.judge(&sum, unread)
	if !sum.good() || sum.unread != 1 {
		t.Errorf("with one that Node refuses: %v", &sum)
	}
	unread.answers = read.answers
	o.judge(&sum, unread)
	if sum.good() {
		t.Errorf("2 in 1001: %v", &sum)
	}
}

func TestFrontmatter(t *testing.T) {
	front := must.Get(frontmatter([]byte("// c\n/*---\r\nflags: [a, b-c]\r\nincludes:\r\n  - x.js\r\n  - y.js\r\nnegative:\r\n  type: SyntaxError\r\n  phase: parse\r\n---*/ flags: [d]")))(t)
	if got := list(front, "flags"); !slices.Equal(got, []string{"a", "b-c"}) {
		t.Errorf("flags %q", got)
	}
	if got := list(front, "includes"); !slices.Equal(got, []string{"x.js", "y.js"}) {
		t.Errorf("includes %q", got)
	}
	if got := phase(front); got != "parse" {
		t.Errorf("phase %q", got)
	}
	if _, err := frontmatter([]byte("no frontmatter")); err == nil {
		t.Error("a test without frontmatter is read")
	}
}

func TestExceptionsNeedReasons(t *testing.T) {
	for _, bad := range []string{"a.js", "a.js: ", "a.js: x\na.js: y"} {
		if _, err := readExceptions(bad); err == nil || !strings.Contains(err.Error(), "exceptions.txt:") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := readExceptions(committedExceptions); err != nil {
		t.Error(err)
	}
}
