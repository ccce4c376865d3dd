package bias

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/bench/archive"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/internal/must"
)

var here = figures.Origin{Machine: figures.Machine{When: "2026-01-02", CPUs: 2, Tools: map[string]string{"node": "20.1.0"}}, Commit: "b", Command: "go run ./bench bias --resume"}

// interrupted is a directory with the recordings of small(2) as far as its budget or the user let
// it get: one of its blocks calls the engine five times, after one call that calibrates.
func interrupted(t *testing.T, budget time.Duration, calls int) string {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := &fakes{}
	f.run = func(engine.Program, engine.Settings, *engine.Result) error {
		if len(f.runs) > calls {
			cancel()
		}
		return nil
	}
	c, folder, plan := f.collector(), t.TempDir(), small(2)
	c.Keep, plan.Budget = folder, budget
	if _, err := c.Run(ctx, plan); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	seal(t, folder)
	return folder
}

const whole = 11 // calls

func seal(t *testing.T, folder string) {
	origin := here
	origin.Machine.When, origin.Commit, origin.Command, origin.Seed = "2026-01-01", "a", "go run ./bench bias", 5
	must.Do(t, archive.Seal(folder, archive.Manifest{Pattern: archive.Recordings, Origin: &origin, Took: time.Hour}))
}

// A run that goes on ends where one that was not interrupted does.
func TestResume(t *testing.T) {
	want := Evaluate(must.Get((&fakes{}).collector().Run(t.Context(), small(2)))(t), Terms{Resamples: 20}).Table()
	for name, c := range map[string]struct {
		budget time.Duration
		calls  int
		spoil  func(files []string)
		blocks int
	}{
		"all is there":        {budget: time.Hour, calls: whole, blocks: 0},
		"stopped by the user": {budget: time.Hour, calls: 8, blocks: 1},
		"killed in a block":   {budget: time.Hour, calls: whole, spoil: func(files []string) { must.Do(t, os.Remove(files[9])) }, blocks: 1},
		"out of time":         {budget: 3 * time.Second, calls: whole, blocks: 2},
	} {
		t.Run(name, func(t *testing.T) {
			folder := interrupted(t, c.budget, c.calls)
			if c.spoil != nil {
				c.spoil(must.Get(filepath.Glob(filepath.Join(folder, archive.Recordings)))(t))
				seal(t, folder)
			}
			f, plan, origin := &fakes{}, small(2), here
			collector := f.collector()
			collector.Keep = folder
			took := must.Get(collector.goOn(folder, true, &plan, &origin))(t)
			if len(plan.Blocks) != c.blocks || took != time.Hour {
				t.Errorf("%d blocks are left, want %d; the sessions before took %v", len(plan.Blocks), c.blocks, took)
			}
			if says := "`go run ./bench bias --resume`, 2026-01-02 (begun 2026-01-01 by `go run ./bench bias`), 2 CPUs"; origin.InShort() != says || origin.Earlier[0].Commit != "a" {
				t.Errorf("the origin is %s, of %+v", origin.InShort(), origin.Earlier)
			}
			if collector.Seed != 5 || origin.Seed != 5 {
				t.Errorf("it goes on with the seed %d, and names %d", collector.Seed, origin.Seed)
			}
			recordings := must.Get(collector.Run(t.Context(), plan))(t)
			if table := Evaluate(recordings, Terms{Resamples: 20}).Table(); table != want {
				t.Errorf("without an interruption\n%s\nwith one\n%s", want, table)
			}
			if table := Evaluate(must.Get(ReadKept(folder))(t), Terms{Resamples: 20}).Table(); table != want {
				t.Errorf("the directory gives\n%s\nand not\n%s", table, want)
			}
		})
	}
}

func TestResumeRefuses(t *testing.T) {
	for want, spoil := range map[string]func(folder string, here *figures.Origin){
		"node 20.2.0, not 20.1.0": func(_ string, here *figures.Origin) { here.Machine.Tools = map[string]string{"node": "20.2.0"} },
		"MANIFEST.json: is missing": func(folder string, _ *figures.Origin) {
			must.Do(t, os.Remove(filepath.Join(folder, archive.ManifestName)))
		},
		"00001.recording.json.gz: was altered": func(folder string, _ *figures.Origin) {
			must.Do(t, os.WriteFile(filepath.Join(folder, "00001.recording.json.gz"), nil, 0o644))
		},
		"does not say where its recordings were made": func(folder string, _ *figures.Origin) {
			must.Do(t, archive.Seal(folder, archive.Manifest{Pattern: archive.Recordings}))
		},
	} {
		folder, plan, origin := interrupted(t, time.Hour, 8), small(2), here
		spoil(folder, &origin)
		before := must.Get(os.ReadDir(folder))(t)
		_, err := (&fakes{}).collector().goOn(folder, true, &plan, &origin)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if after := must.Get(os.ReadDir(folder))(t); len(after) != len(before) {
			t.Errorf("%d files of %d are left", len(after), len(before))
		}
	}
	plan, origin := small(2), here
	if _, err := (&fakes{}).collector().goOn(interrupted(t, time.Hour, whole), false, &plan, &origin); err == nil || !strings.Contains(err.Error(), "go on there with --resume") {
		t.Error(err)
	}
}
