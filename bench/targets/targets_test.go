package targets

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// Each target is in the results, but for those that are known not to be.
func TestTargetsAreInTheResults(t *testing.T) {
	recorded := resultsIn(filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "results"))
	unmeasured := map[string]bool{"Firefox, balanced, polling": true, "WebKit, balanced": true} // too few programs for a mean
	for _, s := range Sections {
		for _, target := range s.Targets {
			if f := must.Get(target.find(recorded))(t); f == nil && !unmeasured[target.What] {
				t.Errorf("%s.json has nothing at %q", target.File, target.At)
			}
		}
	}
}

func TestJudge(t *testing.T) {
	most, least := Target{Bound: 2}, Target{Bound: 90, Least: true}
	for _, c := range []struct {
		target *Target
		f      *figure
		want   Verdict
	}{
		{&most, &figure{1, 0.5, 2}, Reached},
		{&most, &figure{1, 0.5, 2.1}, Open},
		{&most, &figure{3, 2, 4}, Open},
		{&most, &figure{3, 2.1, 4}, Missed},
		{&most, &figure{2, 2, 2}, Reached},
		{&least, &figure{95, 90, 97}, Reached},
		{&least, &figure{90, 89, 97}, Open},
		{&least, &figure{88, 85, 89.9}, Missed},
		{&least, nil, NotMeasured},
	} {
		if got := c.target.judge(c.f); got != c.want {
			t.Errorf("%+v of %+v is %s, want %s", c.f, c.target, got, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	results := resultsIn(folder)
	must.Write(t, folder, "r.json", `{"a": {"value": 1, "low": 0, "high": 2}, "rows": [{"name": "x", "n": 3}, {"preset": "y", "n": {"value": 4}}], "s": "5",
		"counts": {"node": {"cells": 60, "agree": 58}, "goja": {"cells": 40, "agree": 37}}, "none": {}}`)
	for _, c := range []struct {
		at   []string
		want *figure
		err  string
	}{
		{[]string{"a"}, &figure{1, 0, 2}, ""},
		{[]string{"rows", "x", "n"}, &figure{3, 3, 3}, ""},
		{[]string{"rows", "z", "n"}, nil, ""},
		{[]string{"b", "c"}, nil, ""},
		{[]string{"a", "low", "x"}, nil, ""},
		{[]string{"rows", "y", "n"}, nil, `r.json: ["rows" "y" "n"] is no estimate`},
		{[]string{"s"}, nil, `r.json: ["s"] is no figure`},
		{[]string{"none"}, nil, `r.json: ["none"] is no estimate`},
	} {
		got, err := (&Target{File: "r", At: c.at}).find(results)
		if c.err != "" {
			must.Fail(t, err, c.err)
			continue
		}
		must.Do(t, err)
		must.Equal(t, got, c.want, c.at)
	}
	// Wilson's interval of 95 in 100.
	if f := must.Get((&Target{File: "r", At: []string{"counts"}}).find(results))(t); f.Value != 95 || math.Abs(f.Low-88.82) > 0.01 || math.Abs(f.High-97.85) > 0.01 {
		t.Errorf("%+v", f)
	}
	if f, err := (&Target{File: "none"}).find(results); f != nil || err != nil {
		t.Errorf("%v, %v", f, err)
	}
}
