package spool

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Consumer says what becomes of what is in a spool. All fields are needed but Retry.
type Consumer struct {
	Every time.Duration // how often batches are handed over
	Bytes int64         // of a batch; when this much waits it is handed over before the time
	// Hand takes a batch. If it returns an error it gets the same batch again.
	Hand func(ctx context.Context, b *Batch) error
	// Retry is how long to wait before that; default Backoff.
	Retry func(attempt int, err error) time.Duration
	Log   *slog.Logger
}

// Backoff is twice as long each time, up to half a minute, and less by chance, so that collectors that share
// a store do not come all at once.
func Backoff(attempt int, _ error) time.Duration {
	longest := min(100*time.Millisecond<<min(attempt, 10), 30*time.Second)
	return longest/2 + rand.N(longest/2)
}

// Consuming is a consumer at work.
type Consuming struct {
	consumer Consumer
	spool    *Spool
	flushes  chan chan<- error
	flushing []chan<- error // callers of Flush
	stop     context.CancelFunc
	stopped  chan struct{}
}

// Consume begins to hand over what is in the spool. A spool has one consumer.
func (s *Spool) Consume(c Consumer) *Consuming {
	if c.Retry == nil {
		c.Retry = Backoff
	}
	ctx, stop := context.WithCancel(context.Background())
	w := &Consuming{consumer: c, spool: s, flushes: make(chan chan<- error), stop: stop, stopped: make(chan struct{})}
	go w.run(ctx)
	return w
}

// Flush returns when the records appended before have been handed over.
func (w *Consuming) Flush(ctx context.Context) error {
	flushed := make(chan error, 1)
	select {
	case w.flushes <- flushed:
	case <-w.stopped:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-flushed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stop ends the consumer, also within a batch, which then waits for the next one.
func (w *Consuming) Stop() {
	w.stop()
	<-w.stopped
}

func (w *Consuming) run(ctx context.Context) {
	defer close(w.stopped)
	ticker := time.NewTicker(w.consumer.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case flush := <-w.flushes:
			w.flushing = append(w.flushing, flush)
		case <-w.spool.Written():
			if w.spool.Stats().Waiting < w.consumer.Bytes {
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

// drain hands over what was in the spool when it was called, or when the latest Flush was. It
// only fails when it is stopped.
func (w *Consuming) drain(ctx context.Context) error {
	for attempt := 0; ; {
		end, asked := w.spool.End(), len(w.flushing)
		b, err := w.spool.Next(w.consumer.Bytes)
		if b == nil && err == nil {
			return nil
		}
		if errors.Is(err, ErrUnplanned) {
			w.consumer.Log.Warn("cannot note which batch is handed over", "err", err)
			err = nil
		}
		if err == nil {
			err = w.consumer.Hand(ctx, b)
		}
		if err != nil {
			w.consumer.Log.Warn("a batch waits in the spool; trying again", "attempt", attempt+1, "err", err)
			if err := w.wait(ctx, w.consumer.Retry(attempt, err)); err != nil {
				return err
			}
			attempt++
			continue
		}
		attempt = 0
		if b.Damaged > 0 {
			w.consumer.Log.Error("part of the spool was damaged and is lost", "bytes", b.Damaged)
		}
		if err := w.spool.Done(b); err != nil {
			w.consumer.Log.Warn("a batch that was handed over stays in the spool", "err", err)
		}
		if b.Reaches(end) && len(w.flushing) == asked {
			return nil
		}
	}
}

// wait waits before the next attempt; less if Flush asks meanwhile.
func (w *Consuming) wait(ctx context.Context, long time.Duration) error {
	timer := time.NewTimer(long)
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
