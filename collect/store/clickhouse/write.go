package clickhouse

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Write adds the chunks of a batch that no batch has added.
//
// A batch first claims its chunks, then adds their rows, then is done. If it fails in between and
// comes again it makes the same rows of the same chunks, in the same blocks, and the server drops
// the blocks that it has.
func (s *Store) Write(ctx context.Context, id record.ID, chunks []*record.Chunk) (store.Written, error) {
	if len(chunks) == 0 {
		return store.Written{}, nil
	}
	batch := binary.LittleEndian.Uint64(id[:])
	c := claims{s, ctx, batch}
	mine, err := c.claim(chunks)
	if err != nil {
		return store.Written{}, err
	}
	if len(mine) > 0 {
		if err := s.add(ctx, batch, mine); err != nil {
			return store.Written{}, err
		}
	}
	if err := c.enterDone(); err != nil {
		return store.Written{}, err
	}
	return store.Written{New: len(mine), Known: len(chunks) - len(mine)}, nil
}

// add writes the rows of chunks.
func (s *Store) add(ctx context.Context, batch uint64, chunks []*record.Chunk) error {
	kept, err := s.kept(ctx)
	if err != nil {
		return err
	}
	r := newRows(kept)
	for _, c := range chunks {
		r.add(c)
	}
	series, sites := s.known.missing(r)
	// The series and sites of sums come first, so that no question finds sums without names.
	if err := atOnce(
		func() error { return s.addSeries(ctx, series) },
		func() error { return s.addSites(ctx, sites) },
	); err != nil {
		return err
	}
	s.known.add(series, sites)
	return atOnce(
		func() error { return s.addTicks(ctx, batch, r.ticks) },
		func() error { return s.addTotals(ctx, batch, r.totals) },
		func() error { return s.addViews(ctx, r.views) },
		func() error { return s.addSlices(ctx, r.slices) },
		func() error { return s.addExamples(ctx, r.examples) },
	)
}

// atOnce runs functions at the same time, and returns the first error.
func atOnce(functions ...func() error) error {
	results := make(chan error, len(functions))
	for _, f := range functions {
		go func() { results <- f() }()
	}
	var first error
	for range functions {
		first = errorsOf(first, <-results)
	}
	return first
}

// steps are the resolutions in which sums are kept.
var steps = []time.Duration{time.Minute, time.Hour, 24 * time.Hour}

func seconds(d time.Duration) uint32 { return uint32(d / time.Second) }
