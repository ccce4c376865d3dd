package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// expectation is a failure that must be.
type expectation struct {
	test     string // path below the suite
	browsers []string
	reason   string
	seen     map[string]bool // by browser
}

// readExpectations reads lines of "test | browsers | reason", where browsers is
// a list, or * for all.
func readExpectations(text string) ([]*expectation, error) {
	var list []*expectation
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "|")
		if len(fields) != 3 {
			return nil, fmt.Errorf("expected.txt:%d: want test | browsers | reason", i+1)
		}
		e := &expectation{test: strings.TrimSpace(fields[0]), browsers: strings.Fields(fields[1]), reason: strings.TrimSpace(fields[2]), seen: map[string]bool{}}
		list = append(list, e)
	}
	return list, nil
}

func (e *expectation) in(browser string) bool {
	return slices.Contains(e.browsers, "*") || slices.Contains(e.browsers, browser)
}

// report tells what was found.
type report struct {
	tests, browsers []string
	results         []results
	expected        []*expectation
	whole           bool // every test was run
	verbose         bool
}

func (r *report) expects(test, browser string) *expectation {
	for _, e := range r.expected {
		if suiteFolder+"/"+e.test == test && e.in(browser) {
			return e
		}
	}
	return nil
}

// print writes the table and what it does not show, and tells whether all is as
// expected.
func (r *report) print(w io.Writer) bool {
	var notes []string
	good := true
	note := func(bad bool, format string, a ...any) {
		good = good && !bad
		if bad || r.verbose {
			notes = append(notes, fmt.Sprintf(format, a...))
		}
	}
	passed, failed := 0, 0
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "test\t"+strings.Join(r.browsers, "\t"))
	for _, test := range r.tests {
		row := strings.TrimPrefix(test, suiteFolder+"/")
		for i, browser := range r.browsers {
			if r.results[i].missing != nil {
				row += "\tmissing"
				continue
			}
			o, e := r.results[i].of[test], r.expects(test, browser)
			bad := o.failures()
			switch {
			case len(bad) == 0:
				row += fmt.Sprintf("\tpass %d", len(o.Tests))
				passed++
			case e != nil:
				row += "\tfail, expected"
				e.seen[browser] = true
			default:
				row += fmt.Sprintf("\tFAIL %d of %d", len(bad), len(o.Tests))
				failed++
			}
			for _, line := range bad {
				note(e == nil, "%s: %s: %s", browser, test, line)
			}
		}
		fmt.Fprintln(table, row)
	}
	table.Flush()
	for i, browser := range r.browsers {
		if err := r.results[i].missing; err != nil {
			note(true, "%s: %v", browser, err)
		}
	}
	r.printExpected(w, note)
	for _, line := range notes {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "wpt: %d passed, %d failed\n", passed, failed)
	return good
}

// printExpected writes the reasons of the failures that were expected.
func (r *report) printExpected(w io.Writer, note func(bad bool, format string, a ...any)) {
	for _, e := range r.expected {
		if len(e.seen) > 0 {
			fmt.Fprintf(w, "expected: %s: %s\n", e.test, e.reason)
		}
		for i, browser := range r.browsers {
			if r.whole && r.results[i].missing == nil && e.in(browser) && !e.seen[browser] && slices.Contains(r.tests, suiteFolder+"/"+e.test) {
				note(true, "%s: %s passes: take it off expected.txt", browser, e.test)
			}
		}
	}
}

// failures are a line for each test that failed, and for the harness.
func (o *outcome) failures() []string {
	var lines []string
	if o.Status != 0 {
		lines = append(lines, "the harness: "+o.Message)
	}
	for _, t := range o.Tests {
		if t.Status != 0 {
			lines = append(lines, t.Name+": "+t.Message)
		}
	}
	if len(o.Tests) == 0 && len(lines) == 0 {
		lines = append(lines, "it holds no tests")
	}
	return lines
}
