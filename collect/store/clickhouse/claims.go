package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// A chunk may reach two collectors: a page sends it again to another one if the answer of the first
// was lost. Both claim it, and look who else did.
//
// Who claims a chunk that nobody else has claimed owns it. If two find each other's claim, the one
// with the larger number withdraws; the other waits until that has decided, since it may have
// looked before the claim of the other was there, and so own the chunk. Who has decided never
// changes its mind, and does the same when its batch comes again.
//
// This needs an order of claims: it holds where collectors reach the same replica first.

// States of a batch.
const (
	decided = 1 // which of its chunks it owns
	done    = 2 // and has added them
)

// patience is how long a batch waits for another that does not decide, because its collector is
// down.
const patience = 10 * time.Minute

// errUndecided says that a batch must come again.
var errUndecided = errors.New("another collector has the same chunk, and has not decided about it yet")

// claims are those of a batch.
type claims struct {
	*Store
	ctx   context.Context
	batch uint64
}

// claimed is a claim of a batch for a chunk.
type claimed struct {
	batch uint64
	lost  bool
	at    time.Time
}

// claim returns those chunks that the batch is to add. They are the same if it comes again.
func (c claims) claim(chunks []*record.Chunk) ([]*record.Chunk, error) {
	unique := map[record.ID]*record.Chunk{}
	for _, chunk := range chunks {
		unique[chunk.ID] = chunk
	}
	ids := slices.SortedFunc(maps.Keys(unique), func(a, b record.ID) int { return cmp.Compare(string(a[:]), string(b[:])) })
	state, err := c.states([]uint64{c.batch})
	if err != nil || state[c.batch] == done {
		return nil, err
	}
	all, err := c.claimsFor(ids)
	if err != nil {
		return nil, err
	}
	if state[c.batch] < decided {
		if all, err = c.decide(ids, all); err != nil {
			return nil, err
		}
	}
	var mine []*record.Chunk
	for _, chunk := range chunks {
		if claim := c.own(all[chunk.ID]); unique[chunk.ID] != nil && claim != nil && !claim.lost {
			mine = append(mine, chunk)
		}
		delete(unique, chunk.ID)
	}
	return mine, nil
}

// decide claims what nobody has claimed, and enters what of it the batch owns.
func (c claims) decide(ids []record.ID, all map[record.ID][]claimed) (map[record.ID][]claimed, error) {
	var free []record.ID
	for _, id := range ids {
		if len(all[id]) == 0 {
			free = append(free, id)
		}
	}
	if len(free) > 0 {
		if err := c.enterClaims(free, false); err != nil {
			return nil, err
		}
		var err error
		if all, err = c.claimsFor(ids); err != nil {
			return nil, err
		}
	}
	lost, err := c.lost(ids, all)
	if err != nil {
		return nil, err
	}
	if len(lost) > 0 {
		if err := c.enterClaims(lost, true); err != nil {
			return nil, err
		}
		for _, id := range lost {
			c.own(all[id]).lost = true
		}
	}
	return all, c.enter(decided)
}

// lost are the chunks that the batch has claimed and does not own.
func (c claims) lost(ids []record.ID, all map[record.ID][]claimed) (lost []record.ID, err error) {
	rivals := map[uint64]bool{}
	for _, id := range ids {
		for _, claim := range all[id] {
			if c.own(all[id]) != nil && claim.batch != c.batch {
				rivals[claim.batch] = true
			}
		}
	}
	if len(rivals) == 0 {
		return nil, nil
	}
	states, err := c.states(slices.Sorted(maps.Keys(rivals)))
	if err != nil {
		return nil, err
	}
	waiting := false
	for _, id := range ids {
		own := c.own(all[id])
		if own == nil || own.lost {
			continue
		}
		for _, claim := range all[id] {
			switch {
			case claim.batch == c.batch || claim.lost:
			case claim.batch < c.batch || states[claim.batch] >= decided:
				lost = append(lost, id)
			case time.Since(claim.at) < patience:
				waiting = true
			}
		}
	}
	slices.SortFunc(lost, func(a, b record.ID) int { return cmp.Compare(string(a[:]), string(b[:])) })
	lost = slices.Compact(lost)
	if waiting {
		// What is lost is lost whatever comes: others may be waiting for that.
		if len(lost) > 0 {
			if err := c.enterClaims(lost, true); err != nil {
				return nil, err
			}
		}
		return nil, errUndecided
	}
	return lost, nil
}

func (c claims) own(of []claimed) *claimed {
	for i := range of {
		if of[i].batch == c.batch {
			return &of[i]
		}
	}
	return nil
}

// claimsFor are the claims that exist.
func (c claims) claimsFor(ids []record.ID) (map[record.ID][]claimed, error) {
	found := map[record.ID][]claimed{}
	for part := range slices.Chunk(ids, 5000) {
		err := c.ask(c.ctx, "SELECT id, batch, max(lost), min(at) FROM seen WHERE id IN "+listOf(part, idText)+" GROUP BY id, batch",
			func(scan func(...any) error) error {
				var id string
				var lost uint8
				var claim claimed
				if err := scan(&id, &claim.batch, &lost, &claim.at); err != nil {
					return err
				}
				claim.lost = lost != 0
				key := record.ID([]byte(id))
				found[key] = append(found[key], claim)
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (c claims) enterClaims(ids []record.ID, lost bool) error {
	list, batches, flags, at := make([]string, len(ids)), make([]uint64, len(ids)), make([]uint8, len(ids)), make([]time.Time, len(ids))
	now := time.Now().UTC()
	for i, id := range ids {
		list[i], batches[i], at[i] = string(id[:]), c.batch, now
		if lost {
			flags[i] = 1
		}
	}
	return c.insert(c.ctx, "seen", column{"id", list}, column{"batch", batches}, column{"lost", flags}, column{"at", at})
}

func (c claims) states(batches []uint64) (map[uint64]uint8, error) {
	found := map[uint64]uint8{}
	return found, c.ask(c.ctx, "SELECT batch, max(state) FROM batches WHERE batch IN "+listOf(batches, number)+" GROUP BY batch",
		func(scan func(...any) error) error {
			var batch uint64
			var state uint8
			err := scan(&batch, &state)
			found[batch] = state
			return err
		})
}

func (c claims) enter(state uint8) error {
	return c.insert(c.ctx, "batches", column{"batch", []uint64{c.batch}}, column{"state", []uint8{state}}, column{"at", []time.Time{time.Now().UTC()}})
}
