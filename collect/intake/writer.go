package intake

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/spool"
	"github.com/fieldprof/fieldprof/collect/store"
)

// backoff is how long to wait before the store is tried again: twice as long each time, up to half a minute,
// and less by chance, so that collectors that share a store do not come all at once.
func backoff(attempt int) time.Duration {
	longest := min(100*time.Millisecond<<min(attempt, 10), 30*time.Second)
	return longest/2 + rand.N(longest/2)
}

// run writes the store until it is stopped: every so often, when much waits, and when Flush asks.
func (i *Intake) run(ctx context.Context) {
	defer close(i.stopped)
	w := writer{Intake: i}
	ticker := time.NewTicker(i.options.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case flush := <-i.flushes:
			w.flushing = append(w.flushing, flush)
		case <-i.spool.Written():
			if i.spool.Stats().Waiting < batchBytes {
				continue
			}
		case <-ticker.C:
		}
		err := w.drain(ctx)
		for _, flush := range w.flushing {
			flush <- err
		}
		w.flushing = nil
	}
}

// writer hands batches to the store.
type writer struct {
	*Intake
	flushing []chan<- error // who waits for the store
}

// drain hands over what was in the spool when it was called, or when the latest Flush was.
func (w *writer) drain(ctx context.Context) error {
	for attempt := 0; ; {
		end, asked := w.spool.End(), len(w.flushing)
		b, err := w.spool.Next(batchBytes)
		switch {
		case b == nil && err == nil:
			return nil
		case errors.Is(err, spool.ErrUnplanned):
			w.options.Log.Warn("cannot note in the spool which batch is being written", "err", err)
		case err != nil:
			w.options.Log.Error("cannot read the spool", "err", err)
			if err := w.wait(ctx, attempt); err != nil {
				return err
			}
			attempt++
			continue
		}
		if err := w.hand(ctx, b); err != nil {
			return err
		}
		if b.Reaches(end) && len(w.flushing) == asked {
			return nil
		}
	}
}

// hand hands a batch to the store and consumes it. It only fails when it is stopped.
func (w *writer) hand(ctx context.Context, b *spool.Batch) error {
	if b.Damaged > 0 {
		w.options.Log.Error("part of the spool is damaged and lost", "bytes", b.Damaged)
	}
	chunks := make([]*record.Chunk, 0, len(b.Records))
	for _, data := range b.Records {
		c, err := record.Decode(data)
		if err != nil {
			w.refuse(data, err)
			continue
		}
		chunks = append(chunks, c)
	}
	stored := chunks
	if len(chunks) > 0 {
		var err error
		if stored, err = w.store(ctx, record.IDOf("batch", string(b.ID[:])), chunks); err != nil {
			return err
		}
	}
	if len(stored) > 0 && w.options.Accepted != nil {
		w.options.Accepted(stored)
	}
	if err := w.spool.Done(b); err != nil {
		w.options.Log.Warn("a batch that the store has stays in the spool", "err", err)
	}
	return nil
}

// store writes chunks until the store has them. If it refuses them for ever it is given each
// half, so that only the chunks that it refuses are set aside. It returns the others.
func (w *writer) store(ctx context.Context, batch record.ID, chunks []*record.Chunk) ([]*record.Chunk, error) {
	for attempt := 0; ; attempt++ {
		start := time.Now()
		written, err := w.options.Store.Write(ctx, batch, chunks)
		w.metrics.write.Observe(time.Since(start).Seconds())
		switch {
		case err == nil:
			w.metrics.batches.Inc()
			w.metrics.stored.WithLabelValues("new").Add(float64(written.New))
			w.metrics.stored.WithLabelValues("known").Add(float64(written.Known))
			return chunks, nil
		case !errors.Is(err, store.ErrRefused):
			w.metrics.retries.Inc()
			w.options.Log.Warn("the store does not take a batch; trying again", "attempt", attempt+1, "chunks", len(chunks), "err", err)
			if err := w.wait(ctx, attempt); err != nil {
				return nil, err
			}
			continue
		case len(chunks) == 1:
			w.refuse(record.Encode(chunks[0]), err)
			return nil, nil
		}
		half := len(chunks) / 2
		first, err := w.store(ctx, record.IDOf("first half", batch.String()), chunks[:half])
		if err != nil {
			return nil, err
		}
		second, err := w.store(ctx, record.IDOf("second half", batch.String()), chunks[half:])
		return append(first[:len(first):len(first)], second...), err
	}
}

// wait waits before the store is tried again; less if Flush asks meanwhile.
func (w *writer) wait(ctx context.Context, attempt int) error {
	timer := time.NewTimer(w.options.retry(attempt))
	defer timer.Stop()
	select {
	case <-timer.C:
	case flush := <-w.flushes:
		w.flushing = append(w.flushing, flush)
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// refuse sets a record aside. It must not block what comes after it.
func (w *writer) refuse(data []byte, why error) {
	w.metrics.refused.Inc()
	w.options.Log.Error("a chunk is set aside", "file", w.Intake.refused.path, "why", why)
	if err := w.Intake.refused.add(data, why); err != nil {
		w.options.Log.Error("a chunk that was set aside is lost", "err", err)
	}
}
