package runtime

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// instrument returns the path of a directory of testdata as deployed.
func instrument(t *testing.T, name string) string {
	t.Helper()
	return browser.Instrument(t, builddir.Options{Input: filepath.Join("testdata", name), Selection: transform.Selection{Preset: transform.Precise}})
}

// trace is the part of Profiler.stop's result that has frames.
type trace struct {
	Resources []string
	Frames    []struct {
		Name         string
		ResourceID   *int
		Line, Column int
	}
	Fieldprof struct{ Lost []string }
}

// functions are the frames of files with a prefix, as "file:line:column name".
func (tr *trace) functions(prefix string) map[string]bool {
	found := map[string]bool{}
	for _, f := range tr.Frames {
		file := "?"
		if f.ResourceID != nil {
			_, file, _ = strings.Cut(strings.TrimPrefix(tr.Resources[*f.ResourceID], "http://"), "/")
		}
		if strings.HasPrefix(file, prefix) {
			found[fmt.Sprintf("%s:%d:%d %s", file, f.Line, f.Column, f.Name)] = true
		}
	}
	return found
}

// late reports whether function tables had not come when the trace stopped waiting for them,
// after seconds of the machine's time: on a busy one the page is to be loaded again.
func (tr *trace) late() bool {
	return slices.ContainsFunc(tr.Fieldprof.Lost, func(lost string) bool { return strings.Contains(lost, "not loaded in time") })
}

// known are the functions of testdata/known as Chromium's Profiler has them.
const known = `
known.js:10:14 C
known.js:11:9 method
known.js:12:11 get size
known.js:13:11 set size
known.js:14:14 stat
known.js:15:8 #priv
known.js:16:9 get #g
known.js:17:20 
known.js:18:20 
known.js:19:16 quoted name
known.js:1:1 
known.js:20:16 arrowField
known.js:21:11 am
known.js:22:6 gm
known.js:23:13 agm
known.js:24:6 all
known.js:26:1 D
known.js:26:21 D
known.js:27:15 arrow
known.js:28:23 anon
known.js:29:29 inner
known.js:2:14 spin
known.js:31:4 m
known.js:32:8 get g
known.js:33:15 p
known.js:34:6 q
known.js:35:10 a
known.js:36:5 42
known.js:38:20 
known.js:39:14 gen
known.js:40:18 af
known.js:45:13 Old
known.js:46:29 
known.js:47:26 everything
known.js:51:11 
known.js:52:13 
known.js:56:104 
known.js:7:3 C
known.js:8:3 C
known.mjs:1:1 
known.mjs:1:111 default
known.mjs:2:25 exported
`

// initializers are functions that only V8 has: in the table each field has one, and its
// class is unknown.
var initializers = map[string]string{
	"known.js:7:3 C":   "known.js:7:11 <instance_members_initializer>",
	"known.js:8:3 C":   "known.js:8:14 <static_initializer>",
	"known.js:26:21 D": "known.js:26:27 <instance_members_initializer>",
}

// differences maps the functions that an engine's stacks lack to what replaces them ("": nothing).
var differences = map[string]map[string]string{
	"firefox": {"known.js:26:1 D": ""},
	"webkit": {
		"known.js:26:1 D": "",
		"known.js:7:11 <instance_members_initializer>":  "",
		"known.js:26:27 <instance_members_initializer>": "",
		"known.js:8:14 <static_initializer>":            "",
	},
}

// inPassing is a function that does almost nothing; a sample may or may not hit it.
const inPassing = "known.js:56:26 "

// If a browser has the Profiler, ours has the same functions with the same names and
// positions; the other browsers have them, too.
func TestFunctionsAreNamedAsNatively(t *testing.T) {
	files := os.DirFS(instrument(t, "known"))
	site := browser.Serve(t, browser.Site{Files: files, Header: http.Header{"document-policy": {"js-profiling"}}})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		wantNative, want := knownTo(b.Name)
		native, ours := profiled(wantNative, want, func(native, ours map[string]bool) {
			profile(t, b, site.URL+"/index.html", native, ours)
		})
		delete(native, inPassing)
		delete(ours, inPassing)
		compare(t, "the Profiler", native, wantNative)
		compare(t, "our trace", ours, want)
	})
}

// knownTo are the functions that a browser's Profiler has, if there is one, and those that
// ours has there.
func knownTo(browser string) (native, ours map[string]bool) {
	native, ours = map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(known[1:]) {
		f := strings.TrimSuffix(line, "\n")
		if browser == "chromium" {
			native[f] = true
		}
		if own, ok := initializers[f]; ok {
			f = own
		}
		ours[f] = true
	}
	for f, is := range differences[browser] {
		delete(ours, f)
		if is != "" {
			ours[is] = true
		}
	}
	return native, ours
}

// profiled returns what the Profilers have seen, once each has seen all that is wanted, or
// after twenty loads of the page: the browser's own takes its samples on a thread that a
// busy machine may hold back for a function's whole run.
func profiled(wantNative, want map[string]bool, load func(native, ours map[string]bool)) (native, ours map[string]bool) {
	native, ours = map[string]bool{}, map[string]bool{}
	for n := 0; n < 20 && !(includes(native, wantNative) && includes(ours, want)); n++ {
		load(native, ours)
	}
	return native, ours
}

// profile loads the page, and adds the functions that either Profiler has seen.
func profile(t *testing.T, b *browser.Browser, url string, native, ours map[string]bool) {
	t.Helper()
	page := b.Open(url)
	value := page.Eval(`(async () => {
		await ran;
		return { ours: await ours.trace(recording.session), native: window.native && await native.stop() };
	})()`)
	got := must.JSON[struct{ Ours, Native *trace }](t, value)
	if got.Ours.late() {
		return // has positions of the deployed text
	}
	maps.Copy(ours, got.Ours.functions("known."))
	if got.Native != nil {
		maps.Copy(native, got.Native.functions("known."))
	}
	if len(got.Ours.Fieldprof.Lost) > 0 || len(page.Errors()) > 0 {
		t.Errorf("lost %q, errors %q", got.Ours.Fieldprof.Lost, page.Errors())
	}
}

// includes reports whether all functions of one set are in the other.
func includes(set, all map[string]bool) bool {
	for f := range all {
		if !set[f] {
			return false
		}
	}
	return true
}

func compare(t *testing.T, what string, got, want map[string]bool) {
	t.Helper()
	for f := range want {
		if !got[f] {
			t.Errorf("%s has no %q", what, f)
		}
	}
	for f := range got {
		if !want[f] {
			t.Errorf("%s has %q", what, f)
		}
	}
}
