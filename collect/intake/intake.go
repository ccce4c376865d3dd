// Package intake takes chunks in: once Accept returns, they are on disk and will be in the
// store. It writes them to the spool, hands the spool to the store batch by batch, and does so
// again after a crash.
package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/spool"
	"github.com/fieldprof/fieldprof/collect/store"
)

// Errors of Accept.
var (
	// ErrFull says that the spool has no room because the store has not been taking any for long, or
	// that the disk is full. The sender should try again later.
	ErrFull = spool.ErrFull
	// ErrTooLong says that a chunk is longer than any the spool takes.
	ErrTooLong = spool.ErrTooLong
	// ErrClosed says that the collector is ending.
	ErrClosed = spool.ErrClosed
)

// Options say where chunks go. Only Dir and Store are needed.
type Options struct {
	Dir     string
	Bytes   int64         // that may wait; default 1 GiB
	Every   time.Duration // how often the store is written; default 2 s
	Store   store.Store
	Metrics prometheus.Registerer
	Log     *slog.Logger
	// Accepted is called with the chunks of each batch when the store has them. After a
	// crash it may be called with a batch again.
	Accepted func([]*record.Chunk)

	files spool.Files                                // instead of Dir
	retry func(attempt int, err error) time.Duration // as spool.Consumer has it
}

// Intake takes chunks in.
type Intake struct {
	options Options
	spool   *spool.Spool
	writing *spool.Consuming
	metrics *metrics

	batch [48]byte // that is being written
	parts int      // of it that the store has
	aside aside
}

// Open opens the spool and begins to write what waits there to the store.
func Open(o Options) (*Intake, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s, err := spool.Open(spool.Options{Dir: o.Dir, Bytes: o.Bytes, Files: o.files})
	if err != nil {
		return nil, err
	}
	i := &Intake{options: o, spool: s, aside: aside{path: filepath.Join(o.Dir, "refused.jsonl")}, metrics: newMetrics(o.Metrics, s.Stats)}
	if waiting := s.Stats().Waiting; waiting > 0 {
		o.Log.Info("the spool has records of an earlier run", "bytes", waiting)
	}
	i.writing = s.Consume(spool.Consumer{Every: cmp.Or(o.Every, 2*time.Second), Bytes: batchBytes, Hand: i.hand, Retry: o.retry, Log: o.Log})
	return i, nil
}

// Accept returns when the chunks are durable.
func (i *Intake) Accept(ctx context.Context, chunks []*record.Chunk) error {
	if len(chunks) == 0 {
		return nil
	}
	records := make([][]byte, len(chunks))
	for n, c := range chunks {
		if c.Profile != nil {
			if err := c.Profile.CheckValid(); err != nil {
				return fmt.Errorf("chunk %v: %w", c.ID, err)
			}
		}
		records[n] = record.Encode(c)
	}
	start := time.Now()
	err := i.spool.Append(ctx, records...)
	result := "accepted"
	switch {
	case errors.Is(err, ErrFull):
		result = "full"
	case err != nil:
		result = "failed"
	default:
		i.metrics.append.Observe(time.Since(start).Seconds())
	}
	i.metrics.chunks.WithLabelValues(result).Add(float64(len(chunks)))
	return err
}

// Stats are figures about the spool.
func (i *Intake) Stats() spool.Stats { return i.spool.Stats() }

// Ready says why chunks cannot be taken in now.
func (i *Intake) Ready() error { return i.spool.Ready() }

// Flush returns when the store has what was accepted before.
func (i *Intake) Flush(ctx context.Context) error { return i.writing.Flush(ctx) }

// Close stops accepting, hands the store what waits until the context is done, and leaves the rest in
// the spool for the next time.
func (i *Intake) Close(ctx context.Context) error {
	i.spool.Seal()
	err := i.writing.Flush(ctx)
	if errors.Is(err, ErrClosed) { // before
		err = nil
	}
	i.writing.Stop()
	return errors.Join(err, i.spool.Close())
}
