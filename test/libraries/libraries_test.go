package libraries

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform"
)

// check is one thing to run: a package's own tests, or one of our programs.
type check struct {
	name  string
	tests string // pattern of the package's own tests; else programs/NAME.mjs
	short bool   // also run with -short, and in every way without FIELDPROF_FULL
}

var checks = []check{
	{"qs", "test/*.js", true},
	{"object-inspect", "test/*.js", false},
	{"minimist", "test/*.js", true},
	{"traverse", "test/*.js", false},
	{"deep-equal", "test/*.js", false},
	{"json-stable-stringify", "test/*.js", false},
	{"path-browserify", "test/*.js", false},
	{"acorn", "", false},
	{"marked", "", true},
	{"ajv", "", false},
	{"typescript", "", false},
	{"prettier", "", false},
	{"react", "", true},
	{"vue", "", false},
	{"lodash", "", false},
	{"small", "", true},
	{"mathematics", "", false},
}

// way is a way to instrument, with what its checks are without FIELDPROF_FULL.
type way struct {
	name    string
	options transform.Options
	state   string
}

var ways = []way{
	{"precise", transform.Options{Selection: transform.Selection{Preset: transform.Precise}}, "armed"},
	{"balanced", transform.Options{Selection: transform.Selection{Preset: transform.Balanced}}, "idle"},
	{"compact", transform.Options{Selection: transform.Selection{Preset: transform.Precise, Form: transform.Compact}}, "armed"},
}

var isFull = os.Getenv("FIELDPROF_FULL") != ""

func TestLibraries(t *testing.T) {
	fixtures.EnsureIn(t, ".")
	here := must.Get(os.Getwd())(t)
	originals := map[string]output{}
	for _, c := range checks {
		if testing.Short() && !c.short {
			continue
		}
		original := c.run(t, here, "")
		if original.failed || original.text == "" {
			t.Fatalf("%s fails as it is:\n%s\n%s", c.name, original.text, original.errors)
		}
		originals[c.name] = original
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			if n := build(t, root, way.options); n < 1000 {
				t.Fatalf("only %d files of node_modules were instrumented", n)
			}
			for _, c := range checks {
				if !c.short && way.name != "precise" && !isFull {
					continue // every check of the others is one of precise
				}
				if original, picked := originals[c.name]; picked {
					c.compare(t, root, way.state, original)
				}
			}
		})
	}
}

// compare runs a check in a state, or with FIELDPROF_FULL=1 idle and armed.
func (c check) compare(t *testing.T, root, state string, original output) {
	states := []string{state}
	if isFull {
		states = []string{"idle", "armed"}
	}
	for _, state := range states {
		t.Run(c.name+" "+state, func(t *testing.T) {
			got := c.run(t, root, state)
			if got.text != original.text || got.failed {
				t.Errorf("%s\n%s", difference(got.text, original.text), got.errors)
			}
			if armed := state == "armed"; (got.captured > 0) != armed {
				t.Errorf("%d checks captured\n%s", got.captured, got.errors)
			}
		})
	}
}

// output is what a check printed.
type output struct {
	text, errors string
	failed       bool
	captured     int
}

var capturedLine = regexp.MustCompile(`(?m)^captured (\d+)$`)

// run runs a check in a copy of node_modules; state is idle, armed or, without
// a runtime, empty.
func (c check) run(t *testing.T, root, state string) output {
	t.Helper()
	here, err := os.Getwd()
	must.Do(t, err)
	var args []string
	if state != "" {
		args = append(args, "--require", filepath.Join(here, "runtime.cjs"))
	}
	if c.tests != "" {
		args = append(args, "node_modules/tape/bin/tape", "node_modules/"+c.name+"/"+c.tests)
	} else {
		args = append(args, "programs/"+c.name+".mjs")
	}
	cmd := exec.Command("node", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CHECKS="+state, "ORIGINALS="+here, "NODE_ENV=production", "NO_COLOR=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var o output
	o.failed = err != nil
	o.text = strings.ReplaceAll(stdout.String(), root, "ROOT")
	o.errors = stderr.String()
	if at := capturedLine.FindStringSubmatch(o.errors); at != nil {
		must.Get(fmt.Sscan(at[1], &o.captured))(t)
	}
	return o
}

// difference shows the first line in which two outputs differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("line %d: got  %.300q\n        want %.300q", i+1, a, b)
		}
	}
	return "equal output"
}
