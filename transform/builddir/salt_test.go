package builddir

import (
	"reflect"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/training"
)

func TestSalt(t *testing.T) {
	base := "fieldprof " + release.Version + " balanced"
	seen := map[string]bool{}
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{}, base},
		{Options{Selection: transform.Selection{MinStatements: 5}}, base + " min-statements 5"},
		{Options{Selection: transform.Selection{Checks: functable.Entry}}, base + " checks entry"},
		{Options{Selection: transform.Selection{Form: transform.Compact}}, base + " compact"},
		{Options{Selection: transform.Selection{MaxGzip: 2.5}}, base + " max-gzip 2.5%"},
		{Options{Include: []string{"**/a", "b c"}}, base + ` include ["**\/a" "b c"]`},
		{Options{Exclude: []string{"*/\n"}}, base + ` exclude ["*\/\n"]`},
		{Options{Embed: []string{"app.js"}}, base + ` embed ["app.js"]`},
		{Options{PublicPath: "/x*/"}, base + ` public-path "/x*\/"`},
		{Options{Runtime: runtime.Options{Clock: "poll", Prefer: "polyfill", Tables: "none", Base: 5}}, base + ` clock "poll" prefer "polyfill" tables "none" base 5`},
		{Options{Runtime: runtime.Options{ObeyPolicy: true, WrapWorkers: true}}, base + ` obey-policy wrap-workers`},
		{Options{Runtime: runtime.Options{MaxOverhead: 5}}, base + " max-recording 5%"},
		{Options{Sample: 0.01}, base + " sample 0.01"},
		{Options{Selection: transform.Selection{Preset: transform.Fine}}, strings.Replace(base, "balanced", "fine", 1)},
	} {
		got := c.options.Salt()
		if got != c.want || seen[got] {
			t.Errorf("%+v: %s", c.options, got)
		}
		seen[got] = true
	}
	for _, same := range []Options{
		{Selection: transform.Selection{MinStatements: 10}}, {Selection: transform.Selection{Checks: transform.Balanced.Checks()}}, {Runtime: runtime.Options{Clock: "auto", Prefer: "native", Tables: "early"}},
		{Input: "a", Output: "b", InPlace: true, DryRun: true, List: true, NoSizes: true, Workers: 3, Cache: &Cache{}},
	} {
		if got := same.Salt(); got != base {
			t.Errorf("%+v changes nothing that comes out: %s", same, got)
		}
	}
	counts := &training.Counts{Files: []training.File{{File: "a.js", Functions: []training.Function{{Index: 1}, {Index: 2}}}}}
	salts := map[string]bool{}
	for _, times := range []training.Times{
		nil, func(string, *training.Function) float64 { return 1 }, func(_ string, f *training.Function) float64 { return float64(f.Index) },
	} {
		o := Options{Selection: transform.Selection{Counts: counts, MaxOverhead: 2, Times: times}}
		salts[o.Salt()] = true
	}
	if len(salts) != 3 {
		t.Errorf("profiles are not told apart: %v", salts)
	}
	// Someone who adds an option decides here whether the salt names it.
	for of, want := range map[reflect.Type]int{reflect.TypeFor[Options](): 16, reflect.TypeFor[transform.Selection](): 9} {
		if n := of.NumField(); n != want {
			t.Errorf("%v has %d fields: does each that changes the output change the salt?", of, n)
		}
	}
}
