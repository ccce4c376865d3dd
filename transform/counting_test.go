package transform

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/training"
)

// A counting build prints what the original prints, and its counts are the counts of its source: they
// choose checks, with which it still prints the same.
func TestCountingBuildsBehaveAsTheOriginal(t *testing.T) {
	type run struct {
		Name, Original, Instrumented string
	}
	var runs []run
	var options []Options
	for name, src := range behaviours(t) {
		for _, preset := range []Preset{Precise, Balanced} {
			o := Options{File: name, Selection: Selection{Preset: preset, Train: true}}
			result := clean(t, src, o)
			assertReversible(t, src, result)
			if len(result.Insertions) == 0 {
				continue // balanced checks nothing here
			}
			runs = append(runs, run{name, string(src), string(result.Code)})
			options = append(options, o)
		}
	}
	var results []struct{ Name, Original, Counting, Inert, Counts string }
	must.Do(t, json.Unmarshal(must.AskNode(t, must.Get(json.Marshal(runs))(t), "testdata/behaviour/counting.mjs"), &results))
	if len(results) != len(runs) {
		t.Fatalf("%d results of %d runs", len(results), len(runs))
	}
	for i, r := range results {
		if r.Counting != r.Original || r.Inert != r.Original {
			t.Errorf("%s:\n%s\n%s", r.Name, difference(r.Counting, r.Original), difference(r.Inert, r.Original))
		}
		o := options[i]
		o.Train, o.MaxOverhead = false, 5
		var err error
		if o.Counts, err = training.Read("counts.json", []byte(r.Counts)); err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		chosen := clean(t, []byte(runs[i].Original), o)
		if choice := o.Choose(Web); !choice.Exceeds && choice.Overhead() > o.MaxOverhead {
			t.Errorf("%s: %v%% are more than %v%%", r.Name, choice.Overhead(), o.MaxOverhead)
		}
		assertReversible(t, []byte(runs[i].Original), chosen)
	}
}

// Counts hold names as JSON can, and fit nevertheless.
func TestCountsOfNamesThatAreNotUTF8(t *testing.T) {
	src := []byte("x={'d\xe9j\xe0':function(){y()}}")
	one := int64(1)
	script := training.Script{File: "script", Hash: training.Hash(src)}
	counts := &training.Counts{
		Format: training.Format, Version: training.Version, Build: training.BuildHash([]training.Script{script}), Preset: "precise", Sessions: 1, Milliseconds: 1e3,
		Files: []training.File{{File: script.File, Hash: script.Hash, Functions: []training.Function{
			{Index: 1, Line: 1, Column: 19, Name: "d\ufffdj\ufffd", Statements: 1, Entry: &one, Exit: &one},
		}}},
	}
	result := clean(t, src, Options{Selection: Selection{Preset: Precise, Counts: counts, MaxOverhead: 50}})
	if !strings.Contains(string(result.Code), ".c.c(") {
		t.Errorf("it becomes %s", result.Code)
	}
}
