package interactions

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"

	"github.com/fieldprof/fieldprof/bench/devtools"
	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
)

//go:embed js/page.js
var program string

const index = `<!doctype html><style>button { position: fixed; left: 0; top: 0; width: 200px; height: 100px }</style><button id="button">x</button>
<script src="runtime.js"></script><script>fieldprof.install({ prefer: "polyfill" })</script><script src="page.js"></script>
<script type="module">import { observe } from "./interactions.js"; window.observe = observe;</script>`

// load is how much the page works: tasks between two clicks and the pause before each, in
// milliseconds.
type load struct {
	name         string
	tasks, pause int
}

var loads = []load{{"pauses of 1 ms", 40, 1}, {"pauses of 20 ms", 12, 20}}

// roundsOfRun is how often each load is done in each way in a run, and clicks how often the
// page is clicked on meanwhile.
const (
	roundsOfRun = 8
	clicks      = 8
)

// round is the same work in three ways.
type round struct{ plain, observed, again devtools.Spent }

// overhead has one page work in all ways, so many times.
func overhead(ctx context.Context, runs int, progress figures.Progress) ([]Overhead, error) {
	files, err := overheadFiles()
	if err != nil {
		return nil, err
	}
	server := httptest.NewServer(files)
	defer server.Close()
	collected := make([][]round, len(loads))
	for run := range runs {
		show := func(l, i int) {
			progress.Show("overhead, run %d of %d, %s, round %d of %d", run+1, runs, loads[l].name, i+1, roundsOfRun)
		}
		if err := overheadOnce(ctx, server.URL+"/", collected, show); err != nil {
			return nil, err
		}
	}
	var rows []Overhead
	for i, rounds := range collected {
		rows = append(rows, overheadOf(loads[i], rounds))
	}
	return rows, nil
}

func overheadFiles() (devtools.Files, error) {
	result, err := transform.Transform([]byte(program), transform.Options{File: "page.js", Goal: transform.Script})
	if err != nil {
		return nil, err
	}
	files := devtools.Files{"/": []byte(index), "/page.js": result.Code}
	for _, name := range []string{"runtime.js", "trace.js", "coordinator.js", "interactions.js"} {
		content, readErr := fs.ReadFile(runtime.Files(), name)
		files["/"+name] = content
		err = errors.Join(err, readErr)
	}
	return files, err
}

func overheadOnce(ctx context.Context, url string, collected [][]round, begins func(load, round int)) error {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	page, end, err := devtools.Open(ctx, url)
	if err != nil {
		return err
	}
	defer end()
	// Compiled code is what counts.
	if err := page.Run(ctx, "new Promise((done) => { const look = setInterval(() => window.observe && (clearInterval(look), done(work(200, 0))), 10) })"); err != nil {
		return err
	}
	for i := range roundsOfRun {
		for l := range loads {
			begins(l, i)
			var r round
			for step := range 3 {
				var err error
				switch (i + step) % 3 {
				case 0:
					r.plain, err = work(ctx, page, loads[l], "begin()")
				case 1:
					r.observed, err = work(ctx, page, loads[l], "observed()")
				case 2:
					r.again, err = work(ctx, page, loads[l], "begin()")
				}
				if err != nil {
					return err
				}
			}
			collected[l] = append(collected[l], r)
		}
	}
	return nil
}

// work does a load between a beginning and an end that are not measured.
func work(ctx context.Context, page *devtools.Page, l load, begin string) (devtools.Spent, error) {
	if err := page.Run(ctx, begin); err != nil {
		return devtools.Spent{}, err
	}
	before, err := page.Spent(ctx)
	for range clicks {
		if err == nil {
			err = page.Run(ctx, fmt.Sprintf("work(%d, %d)", l.tasks, l.pause))
		}
		if err == nil {
			err = page.Click(ctx, 50, 50)
		}
	}
	if err == nil {
		err = page.Run(ctx, "rest(100)") // the entries of the last click
	}
	if err != nil {
		return devtools.Spent{}, err
	}
	after, err := page.Spent(ctx)
	if err != nil {
		return devtools.Spent{}, err
	}
	return after.Since(before), page.Run(ctx, "end()")
}
