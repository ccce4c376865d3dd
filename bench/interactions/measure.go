package interactions

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/interactions/site"
)

// repetitions is how often each cause is clicked on in a run.
const repetitions = 20

// patience ends a run that hangs. A click whose slice takes longer than given has none.
const (
	patience = 5 * time.Minute
	given    = 10 * time.Second
)

// way is a browser, with its own entries or with ticks alone.
type way struct {
	browser string
	ticks   bool // the page has no PerformanceObserver
}

// ways are all, or those in some browsers.
func ways(browsers []string) []way {
	var all []way
	for _, name := range browser.Names() {
		if len(browsers) > 0 && !slices.Contains(browsers, name) {
			continue
		}
		all = append(all, way{name, false})
		if name == "chromium" {
			all = append(all, way{name, true})
		}
	}
	return all
}

// Look clicks on every cause in some browsers, or all, and measures the overhead in Chromium.
func Look(ctx context.Context, runs int, browsers []string, progress figures.Progress) (*Report, error) {
	r := &Report{Origin: figures.Runs("interactions", runs)}
	defer browser.Stop()
	served, err := serveShop(ctx)
	if err != nil {
		return nil, err
	}
	defer served.close()
	for _, w := range ways(browsers) {
		found, err := served.look(w, runs, progress)
		if err != nil {
			return nil, err
		}
		r.Ways = append(r.Ways, found.row(w, repetitions*runs))
		if w.ticks {
			r.Tasks = tasksOf(found)
		}
	}
	if len(browsers) > 0 && !slices.Contains(browsers, "chromium") {
		return r, nil
	}
	r.Overhead, err = overhead(ctx, runs, progress)
	return r, err
}

// found is what the slices of one way say.
type found struct {
	named map[string]int // by the cause's ID
	given map[string]string
	sizes []float64 // gzip
	tasks []task
}

func (s *shop) look(w way, runs int, progress figures.Progress) (*found, error) {
	session, err := browser.Start(w.browser)
	if err != nil {
		return nil, err
	}
	f := &found{named: map[string]int{}, given: map[string]string{}}
	for run := range runs {
		v, err := s.visit(session, w.ticks)
		if err != nil {
			return nil, err
		}
		for i := range repetitions {
			for _, c := range site.Causes {
				progress.Show("%s, run %d of %d: %s, %d of %d", w.browser, run+1, runs, c.What, i+1, repetitions)
				if err := v.click(c, f); err != nil {
					v.tab.Close()
					return nil, err
				}
			}
		}
		f.tasks = append(f.tasks, v.tasks...)
		v.tab.Close()
	}
	return f, nil
}

// tempFolder is removed by the function.
func tempFolder() (string, func(), error) {
	dir, err := os.MkdirTemp("", "fieldprof-shop-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
