package collecting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
)

// Options say how long to measure.
type Options struct {
	Sustained time.Duration // of the load that must be borne for long
	Stage     time.Duration // of the others
	Chunks    int           // of the day
	Runs      int           // of each question
}

// The loads, in chunks a second.
const (
	once     = 25.
	required = 400.
)

// Look measures everything.
func Look(ctx context.Context, o Options, progress figures.Progress) (r *Report, err error) {
	folder, err := os.MkdirTemp("", "collecting")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	r = &Report{Origin: figures.Here(fmt.Sprintf("collect --duration %v --chunks %d", o.Sustained, o.Chunks))}
	program, err := build(ctx, folder)
	if err != nil {
		return nil, err
	}
	if err := r.measureLoad(ctx, program, folder, o, progress); err != nil {
		return nil, err
	}
	if err := r.measureDay(ctx, program, folder, o, progress); err != nil {
		return nil, err
	}
	r.Capacity = capacity(r)
	return r, nil
}

// measureLoad sends chunks to a collector.
func (r *Report) measureLoad(ctx context.Context, program, folder string, o Options, progress figures.Progress) (err error) {
	bodies, err := newSent(2, false)
	if err != nil {
		return err
	}
	told, err := newSent(2, true)
	if err != nil {
		return err
	}
	c, err := start(program, folder, "")
	if err != nil {
		return err
	}
	running := true
	defer func() {
		if running {
			err = errors.Join(err, c.kill())
		}
	}()
	for i, stage := range []struct {
		into      *Stage
		name      string
		bodies    []sent
		perSecond float64
		length    time.Duration
	}{
		{&Stage{}, "warming up", bodies, once, o.Stage / 2},
		{&r.Once, "1×", bodies, once, o.Stage},
		{&r.Four, "4×", bodies, 4 * once, o.Stage},
		{&r.Sixteen, "16×", bodies, 16 * once, o.Stage},
		{&r.Told, "every idle tick told", told, required / 4, o.Stage},
		{&r.Sustained, "sustained", bodies, required, o.Sustained},
		{&r.Most, "as many as are taken", bodies, 0, o.Stage},
	} {
		progress.Show("%s: %v", stage.name, stage.length)
		measured, err := c.load(ctx, stage.bodies, stage.perSecond, stage.length, uint64(i))
		if err != nil {
			return err
		}
		*stage.into = *measured
		r.Sent += measured.Sent - measured.Errors
	}
	running = false
	if err := c.stop(); err != nil { // everything is in the store then
		return err
	}
	size, err := sizeOf(c.folder)
	r.BytesStored = float64(size) / float64(max(1, r.Sent))
	return err
}

// measureDay asks questions about a day.
func (r *Report) measureDay(ctx context.Context, program, folder string, o Options, progress figures.Progress) error {
	file := filepath.Join(folder, "day", "store.sqlite")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	end := time.Now().Truncate(time.Hour)
	day, err := writeDay(ctx, file, o.Chunks, end, progress)
	if err != nil {
		return err
	}
	r.Day = *day
	if err := r.Day.ask(ctx, file, end, o.Runs, progress); err != nil {
		return err
	}
	return r.Day.open(program, folder, file, max(5, o.Runs), progress)
}
