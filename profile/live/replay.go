package live

import (
	"maps"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
)

// Batches are what is kept, in batches of at most so many records, stacks and samples
// each, for a panel that was not there. All have the number of the last batch: a panel
// goes on with the next.
func (r *Recording) Batches(most int) []*Batch {
	if r.seq == 0 {
		return nil
	}
	var list []*Batch
	next := func() *Batch {
		list = append(list, &Batch{Type: TypeBatch, Profile: r.profile, Seq: r.seq, Account: r.account})
		return list[len(list)-1]
	}
	ids := slices.Sorted(maps.Keys(r.records))[FirstID:]
	for chunk := range slices.Chunk(ids, most) {
		b := next()
		for _, id := range chunk {
			b.Records = append(b.Records, r.records[id])
		}
	}
	for chunk := range slices.Chunk(r.nodes, most) {
		b := next()
		for _, n := range chunk {
			b.Stacks = append(b.Stacks, n.parent, n.record, n.line, n.column)
		}
	}
	for from := 0; from < len(r.samples.time); from += most {
		r.replay(next(), from, min(from+most, len(r.samples.time)))
	}
	for chunk := range slices.Chunk(r.marks, most) {
		next().Marks = slices.Clone(chunk)
	}
	if len(list) == 0 {
		next()
	}
	began := r.began
	list[0].Began = &began
	end := list[len(list)-1]
	end.Ended, end.Notes, end.Dropped = r.ended, r.notes, r.dropped
	return list
}

// replay writes samples into a batch.
func (r *Recording) replay(b *Batch, from, to int) {
	c, s := &r.samples, &b.Samples
	last := int64(0)
	for i := from; i < to; i++ {
		s.Delta, last = append(s.Delta, c.time[i]-last), c.time[i]
		if !r.hello.Attributed {
			s.Kind = append(s.Kind, int8(slices.Index(profile.RuntimeKinds[:], c.kind[i])))
			s.Skid = append(s.Skid, c.skid[i])
		}
	}
	s.Stack, s.Weight = slices.Clone(c.stack[from:to]), slices.Clone(c.weight[from:to])
}
