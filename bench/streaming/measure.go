package streaming

import (
	"context"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/bench/devtools"
	"github.com/fieldprof/fieldprof/bench/figures"
)

// interval is the interval of all profiles, in milliseconds.
const interval = 10

// patience is how long the whole measure may take for each run.
const patience = 10 * time.Minute

// load is a way to do the work.
type load struct {
	name         string
	tasks, pause int // pause in milliseconds
}

// loads keep the page's thread busy all the time, about half of it, and little.
var loads = []load{{"no pauses", 150, 0}, {"pauses of 5 ms", 120, 5}, {"pauses of 50 ms", 25, 50}}

// roundsOfRun is how often each load is done in each way in a run.
const roundsOfRun = 12

// Look opens the page and has it work in all ways, so many times.
func Look(ctx context.Context, runs int, progress figures.Progress) (*Report, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(runs)*patience)
	defer cancel()
	r := &Report{Origin: figures.Runs("live", runs), Rounds: runs * roundsOfRun}
	collected := make([][]round, len(loads))
	for run := range runs {
		if err := lookOnce(ctx, collected, func(load, round int) {
			progress.Show("run %d of %d, %s, round %d of %d", run+1, runs, loads[load].name, round+1, roundsOfRun)
		}); err != nil {
			return nil, err
		}
	}
	for i, rounds := range collected {
		r.Rows = append(r.Rows, rowOf(loads[i], rounds))
	}
	return r, nil
}

// round is the same work in three ways.
type round struct {
	plain, again, streamed devtools.Spent
	batches, bytes         int
}

// lookOnce adds rounds of one page to those of each load.
func lookOnce(ctx context.Context, collected [][]round, begins func(load, round int)) error {
	s, err := serve()
	if err != nil {
		return err
	}
	defer s.server.Close()
	page, end, err := devtools.Open(ctx, s.url)
	if err != nil {
		return err
	}
	defer end()
	for !s.isConnected() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the page did not connect: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
	// Compiled code is what counts.
	if err := page.Run(ctx, "work(200, 0)"); err != nil {
		return err
	}
	for i := range roundsOfRun {
		for l := range loads {
			begins(l, i)
			one, err := s.round(ctx, page, loads[l], i)
			if err != nil {
				return err
			}
			collected[l] = append(collected[l], *one)
		}
	}
	return nil
}

// round does a load in all ways, in an order that depends on its number.
func (s *site) round(ctx context.Context, page *devtools.Page, l load, number int) (*round, error) {
	var r round
	for i := range 3 {
		var err error
		switch (i + number) % 3 {
		case 0:
			r.plain, err = work(ctx, page, l, "begin()", func() {})
		case 1:
			s.start(ctx)
			batches, bytes := s.sent()
			r.streamed, err = work(ctx, page, l, "recorded()", func() { s.stop(ctx) })
			r.batches, r.bytes = s.sent()
			r.batches, r.bytes = r.batches-batches, r.bytes-bytes
		case 2:
			r.again, err = work(ctx, page, l, "begin()", func() {})
		}
		if err != nil {
			return nil, err
		}
	}
	return &r, nil
}

// work does a load between a beginning and an end that are not measured.
func work(ctx context.Context, page *devtools.Page, l load, begin string, end func()) (devtools.Spent, error) {
	if err := page.Run(ctx, begin); err != nil {
		return devtools.Spent{}, err
	}
	before, err := page.Spent(ctx)
	if err == nil {
		err = page.Run(ctx, fmt.Sprintf("work(%d, %d)", l.tasks, l.pause))
	}
	if err != nil {
		return devtools.Spent{}, err
	}
	after, err := page.Spent(ctx)
	if err != nil {
		return devtools.Spent{}, err
	}
	end()
	return after.Since(before), page.Run(ctx, "end()")
}
