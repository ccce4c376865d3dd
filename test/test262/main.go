// Command test262 holds transform to the conformance tests of JavaScript.
//
//	go run ./test/test262 [flags] DIR
//
// DIR is a checkout of tc39/test262. Every test of test/language and
// test/annexB is run by Node as it is and instrumented, in each mode its
// frontmatter asks for (sloppy, strict, module, raw), each run in a realm of
// its own: as the original, with checks that never fire (idle), and with the
// flag up so that every check captures a stack (armed). How a run ends, class
// and message of the error included (the class alone where the text does not
// parse), must not depend on the checks. Tests that
// Node fails count like the others: they must fail the same way.
//
// Only the test is instrumented, with the modules it imports; the harness is
// not. Tests that differ for a reason are in exceptions.txt. The exit status
// is 1 for a difference, for an exception that no longer differs, and when
// transform left more than one in a thousand tests alone that Node reads.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"

	fieldprof "github.com/fieldprof/fieldprof/runtime"
)

//go:embed worker.mjs
var workerScript []byte

func main() {
	o := options{log: os.Stderr}
	match := flag.String("run", "", "run the tests whose path matches this `regexp`")
	flag.IntVar(&o.workers, "workers", runtime.NumCPU(), "Node processes at a time")
	flag.StringVar(&o.json, "json", "", "write every test whose runs differ to this `file`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: test262 [flags] DIR, where DIR is a checkout of tc39/test262")
		os.Exit(2)
	}
	err := o.match.UnmarshalText([]byte(*match))
	if err == nil {
		o.root, err = filepath.Abs(flag.Arg(0))
	}
	if err == nil {
		o.exceptions, err = readExceptions(committedExceptions)
	}
	var sum summary
	if err == nil {
		sum, err = o.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "test262:", err)
		os.Exit(2)
	}
	fmt.Println(sum.String())
	if !sum.good() {
		os.Exit(1)
	}
}

// options says what is run.
type options struct {
	root       string
	match      regexp.Regexp
	workers    int
	json       string
	exceptions *exceptions
	log        io.Writer // differences, as they are found
}

// summary counts what came out.
type summary struct {
	files, tests, runs int
	passed             int // originals that pass
	captured           int // tests in which a check captured
	valid, unread      int // tests Node reads; the ones among them that transform does not
	differences, stale int
	excepted           int
	took               time.Duration
	differing          []difference
}

// difference is a test one of whose runs ended otherwise than the original.
type difference struct {
	Path, Mode, Variant    string
	Original, Instrumented string
	Excepted               bool
}

func (s *summary) good() bool {
	return s.differences == 0 && s.stale == 0 && s.unread*1000 <= s.valid && s.tests > 0
}

func (s *summary) String() string {
	verdict := "ok"
	if !s.good() {
		verdict = "FAILED"
	}
	return fmt.Sprintf("test262: %s: %d differences in %d tests (%d files, %d runs; the original passes %.1f %%, %d tests captured); %d excepted, %d exceptions stale; %d of %d valid tests left uninstrumented; %v",
		verdict, s.differences, s.tests, s.files, s.runs, 100*float64(s.passed)/float64(max(1, s.tests)), s.captured,
		s.excepted, s.stale, s.unread, s.valid, s.took.Round(time.Second))
}

func (o *options) run() (summary, error) {
	var sum summary
	begin := time.Now()
	paths, err := listTests(o.root, &o.match)
	if err != nil {
		return sum, err
	}
	temp, err := os.MkdirTemp("", "fieldprof-test262-")
	if err != nil {
		return sum, err
	}
	defer os.RemoveAll(temp)
	script := filepath.Join(temp, "worker.mjs")
	core, err := fs.ReadFile(fieldprof.Files(), "checks.cjs")
	if err == nil {
		err = os.WriteFile(filepath.Join(temp, "checks.cjs"), core, 0o644)
	}
	if err == nil {
		err = os.WriteFile(script, workerScript, 0o644)
	}
	if err != nil {
		return sum, err
	}
	roots, err := writeModules(o.root, temp)
	if err != nil {
		return sum, err
	}
	sum.files = len(paths)
	tests := make(chan test)
	reading := make(chan error, 1)
	go func() { reading <- o.feed(paths, tests) }()
	var failures []error
	for r := range runAll(o.root, script, roots, tests, o.workers) {
		if r.err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", r.path, r.err))
			continue
		}
		o.judge(&sum, r)
		progress(sum.tests, sum.differences)
	}
	progress(0, 0)
	if err := errors.Join(append(failures, <-reading)...); err != nil {
		return sum, err
	}
	for _, path := range slices.Sorted(slices.Values(o.exceptions.stale())) {
		fmt.Fprintf(o.log, "%s: no longer differs: take it out of exceptions.txt\n", path)
		sum.stale++
	}
	sum.took = time.Since(begin)
	return sum, o.write(&sum)
}

// feed reads the tests and sends them to the workers.
func (o *options) feed(paths []string, tests chan<- test) error {
	defer close(tests)
	for _, path := range paths {
		modes, err := readTest(o.root, path)
		if err != nil {
			return err
		}
		for _, t := range modes {
			tests <- t
		}
	}
	return nil
}

// judge compares the runs of a test with its original.
func (o *options) judge(sum *summary, r result) {
	sum.tests++
	sum.runs += len(r.answers)
	original := r.answers[0]
	if original.Outcome == "pass" || r.negative != "" && original.Outcome != "pass" {
		sum.passed++
	}
	if original.Parsed {
		sum.valid++
		if r.unread != "" {
			sum.unread++
			fmt.Fprintf(o.log, "%s (%s): left uninstrumented: %s\n", r.path, r.mode, r.unread)
		}
	}
	differs, captured := false, false
	for i, a := range r.answers {
		captured = captured || a.Taken > 0
		if a.Outcome == original.Outcome {
			continue
		}
		differs = true
		d := difference{r.path, string(r.mode), variants[i].name, original.Outcome, a.Outcome, o.exceptions.excuse(r.path, true)}
		sum.differing = append(sum.differing, d)
		if !d.Excepted {
			fmt.Fprintf(o.log, "%s (%s, %s)\n\toriginal      %s\n\tinstrumented  %s\n", d.Path, d.Mode, d.Variant, d.Original, d.Instrumented)
		}
	}
	if captured {
		sum.captured++
	}
	switch excused := o.exceptions.excuse(r.path, differs); {
	case differs && excused:
		sum.excepted++
	case differs:
		sum.differences++
	}
}

func (o *options) write(sum *summary) error {
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(sum.differing, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(text, '\n'), 0o644)
}

// progress shows how far it is, on a terminal. 0 wipes it.
func progress(tests, differences int) {
	info, err := os.Stderr.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || tests%100 != 0 {
		return
	}
	if tests == 0 {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		return
	}
	fmt.Fprintf(os.Stderr, "\r\x1b[K%d tests, %d differences", tests, differences)
}
