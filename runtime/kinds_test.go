package runtime_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
)

// kinds are the constants of src/core/kinds.ts and src/trace/table.ts.
type kinds struct {
	Sites struct{ Entry, Loop, Exit, Leaf, SiteCount int }
	Kinds struct {
		Idle, Program, GC int
		KindNames         []string
		Checked           []bool
	}
	Functions struct {
		Script, Arrow, Method, Constructor, Initializer functable.Kind
	}
}

func kindsOfRuntime(t *testing.T) kinds {
	t.Helper()
	var k kinds
	decoder := json.NewDecoder(strings.NewReader(string(runBundled(t, "testdata/trace/lib/kinds.mjs", nil))))
	decoder.DisallowUnknownFields()
	must.Do(t, decoder.Decode(&k))
	return k
}

// Inserted text passes the sites that the runtime knows, and function tables have
// a bit for each.
func TestSitesAgree(t *testing.T) {
	sites := kindsOfRuntime(t).Sites
	for site, want := range map[int]functable.Sites{sites.Entry: functable.Entry, sites.Loop: functable.Loop, sites.Exit: functable.Exit} {
		if functable.Sites(1)<<site != want {
			t.Errorf("site %d is bit %d in function tables", site, want)
		}
	}
	if want := sites.Exit + sites.Leaf + 1; sites.SiteCount != want {
		t.Errorf("there are %d sites, want %d", sites.SiteCount, want)
	}
	for source, want := range map[string][]int{
		"function leaf(a) { for (;a;) a--; return a }":     {sites.Entry + sites.Leaf, sites.Loop, sites.Exit + sites.Leaf},
		"function caller(a) { for (;a;) a--; return g() }": {sites.Entry, sites.Loop, sites.Exit},
	} {
		result := must.Get(transform.Transform([]byte(source), transform.Options{Selection: transform.Selection{Preset: transform.Precise}}))(t)
		code := string(result.Code)
		for site := range sites.SiteCount {
			inserted := strings.Contains(code, "("+string(rune('0'+site))+")")
			if inserted != slices.Contains(want, site) {
				t.Errorf("site %d is in %s: %t", site, code, inserted)
			}
		}
	}
}

// Recordings number their samples as engine reads them, by the names that
// profile.Kind has.
func TestSampleKindsAgree(t *testing.T) {
	all := kindsOfRuntime(t)
	want := map[int]profile.Kind{
		all.Sites.Entry: profile.Entry, all.Sites.Loop: profile.Loop, all.Sites.Exit: profile.Exit,
		all.Kinds.Idle: profile.Idle, all.Kinds.Program: profile.Program, all.Kinds.GC: profile.GC,
	}
	if len(want) != len(all.Kinds.KindNames) {
		t.Errorf("%d kinds have the names %v", len(want), all.Kinds.KindNames)
	}
	for number, name := range all.Kinds.KindNames {
		kind, ok := profile.ParseKind(name)
		if !ok || kind != want[number] {
			t.Errorf("kind %d is %q, which Go reads as %v", number, name, kind)
		}
		if byCheck := kind.PseudoName() == ""; byCheck != all.Kinds.Checked[number] {
			t.Errorf("kind %q is taken by a check: %t", name, all.Kinds.Checked[number])
		}
	}
}

func TestFunctionKindsAgree(t *testing.T) {
	got := kindsOfRuntime(t).Functions
	want := got
	want.Script, want.Arrow, want.Method, want.Constructor, want.Initializer = functable.Script, functable.Arrow, functable.Method, functable.Constructor, functable.Initializer
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
