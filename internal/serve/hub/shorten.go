package hub

import (
	"encoding/json"
	"io"
	"os"

	"github.com/fieldprof/fieldprof/profile/live"
)

// shorten rewrites a book: of the older half, samples and marks go, and are counted as
// dropped. Functions and stacks stay, because later batches refer to them.
func (b *book) shorten(limits live.Limits) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file == nil {
		return nil
	}
	old, err := b.journal.root.Open(b.name)
	if err != nil {
		return err
	}
	defer old.Close()
	short, err := b.journal.root.OpenFile(b.name+newEnd, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	written, err := shortened(short, old, b.size/2, limits)
	if err == nil {
		err = b.journal.root.Rename(b.name+newEnd, b.name)
	}
	if err != nil {
		short.Close()
		b.journal.root.Remove(b.name + newEnd)
		return err
	}
	b.file.Close()
	b.file = short
	b.grow(written - b.size)
	return nil
}

// shortened writes a book without the samples before a place.
func shortened(w io.Writer, old io.Reader, before int64, limits live.Limits) (written int64, err error) {
	write := func(line []byte) error {
		n, err := w.Write(line)
		written += int64(n)
		return err
	}
	var rest outline
	flush := func() error {
		for _, batch := range rest.take() {
			line, err := json.Marshal(batch)
			if err == nil {
				err = write(append(line, '\n'))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	_, err = eachLine(old, limits, func(at int64, message any, line []byte) error {
		if batch, ok := message.(*live.Batch); ok && at < before {
			rest.add(batch, len(line))
			return nil
		}
		if err := flush(); err != nil {
			return err
		}
		return write(line)
	})
	if err == nil {
		err = flush()
	}
	return written, err
}

// outline is what remains of batches without their samples, as few batches of a limited size.
type outline struct {
	batches []*live.Batch
	size    int // of the last one, or more
}

// maxOutline is the size of its batches: less than the size of a message.
const maxOutline = 1 << 20

func (o *outline) add(b *live.Batch, size int) {
	b.Dropped.Batches++
	b.Dropped.Ticks += ticksOf(b)
	b.Samples, b.Marks = live.Samples{}, nil
	n := len(o.batches)
	if n == 0 || o.size+size > maxOutline {
		o.batches, o.size = append(o.batches, b), size
		return
	}
	last := o.batches[n-1]
	b.Records, b.Stacks = append(last.Records, b.Records...), append(last.Stacks, b.Stacks...)
	b.Notes = append(last.Notes, b.Notes...)
	b.Notes = b.Notes[:min(len(b.Notes), maxNotes)]
	if b.Began == nil {
		b.Began = last.Began
	}
	b.Dropped.Batches += last.Dropped.Batches
	b.Dropped.Ticks += last.Dropped.Ticks
	o.batches[n-1] = b
	o.size += size
}

func ticksOf(b *live.Batch) (ticks int64) {
	for _, weight := range b.Samples.Weight {
		ticks += int64(weight)
	}
	return ticks
}

// take returns the batches, numbered without a gap up to the last one's number.
func (o *outline) take() []*live.Batch {
	batches := o.batches
	for i, b := range batches {
		b.Seq = batches[len(batches)-1].Seq - int64(len(batches)-1-i)
	}
	*o = outline{}
	return batches
}
