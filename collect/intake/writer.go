package intake

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/spool"
	"github.com/fieldprof/fieldprof/collect/store"
)

// batchBytes bounds the records of a batch as they are in the spool. partBytes bounds their unpacked contents
// in one part of the batch, which is in memory at once.
const (
	batchBytes = 8 << 20
	partBytes  = 8 << 20
)

// hand hands a batch of the spool to the store, in parts. When it is tried again, parts that the store
// has are left out.
func (i *Intake) hand(ctx context.Context, b *spool.Batch) error {
	if i.batch != b.ID {
		i.batch, i.parts = b.ID, 0
		i.aside.forget()
	}
	for n, part := range record.Parts(b.Records, partBytes) {
		if n < i.parts {
			continue
		}
		if err := i.handPart(ctx, record.IDOf("batch", string(b.ID[:]), strconv.Itoa(n)), part); err != nil {
			i.metrics.retries.Inc()
			return err
		}
		i.parts = n + 1
	}
	return nil
}

func (i *Intake) handPart(ctx context.Context, id record.ID, records [][]byte) error {
	chunks := make([]*record.Chunk, 0, len(records))
	for _, data := range records {
		c, err := record.Decode(data)
		if err != nil {
			i.refuse(data, err)
			continue
		}
		chunks = append(chunks, c)
	}
	if len(chunks) == 0 {
		return nil
	}
	stored, err := i.store(ctx, id, chunks)
	if err == nil && len(stored) > 0 && i.options.Accepted != nil {
		i.options.Accepted(stored)
	}
	return err
}

// store writes chunks to the store. If it refuses them forever, it is given each half, so that only
// the chunks that it refuses are set aside. It returns the others.
func (i *Intake) store(ctx context.Context, batch record.ID, chunks []*record.Chunk) ([]*record.Chunk, error) {
	start := time.Now()
	written, err := i.options.Store.Write(ctx, batch, chunks)
	i.metrics.write.Observe(time.Since(start).Seconds())
	switch {
	case err == nil:
		i.metrics.batches.Inc()
		i.metrics.stored.WithLabelValues("new").Add(float64(written.New))
		i.metrics.stored.WithLabelValues("known").Add(float64(written.Known))
		return chunks, nil
	case !errors.Is(err, store.ErrRefused):
		return nil, err
	case len(chunks) == 1:
		i.refuse(record.Encode(chunks[0]), err)
		return nil, nil
	}
	half := len(chunks) / 2
	first, err := i.store(ctx, record.IDOf("first half", batch.String()), chunks[:half])
	if err != nil {
		return nil, err
	}
	second, err := i.store(ctx, record.IDOf("second half", batch.String()), chunks[half:])
	return append(first[:len(first):len(first)], second...), err
}

// refuse sets a record aside. It must not block what comes after it.
func (i *Intake) refuse(data []byte, why error) {
	isNew, err := i.aside.add(data, why)
	if !isNew {
		return
	}
	i.metrics.refused.Inc()
	if err != nil {
		i.options.Log.Error("a chunk that the store refuses is lost: it could not be set aside", "file", i.aside.path, "why", why, "err", err)
		return
	}
	i.options.Log.Error("a chunk is set aside", "file", i.aside.path, "why", why)
}
