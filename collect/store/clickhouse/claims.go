package clickhouse

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// A chunk may reach two collectors: if the first one's answer is lost, the page sends the chunk
// again, maybe to another. Each collector claims the chunk, and then looks for other claims.
//
// A batch owns a chunk if it finds no other claim. If two batches find each other's claim, the one
// with the larger number withdraws. The other waits until it has decided, because it may have looked
// before the smaller one's claim was there, and then it owns the chunk. A decision is final, and
// applies when the batch comes again.
//
// This requires that claims have an order, so collectors should reach the same replica first.

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

// claims are the claims of a batch.
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
func (c claims) claim(chunks []*record.Chunk) (mine []*record.Chunk, _ error) {
	states, err := c.states([]uint64{c.batch})
	if err != nil || states[c.batch].state == done {
		return nil, err
	}
	skip := states[c.batch].others // what others own
	if states[c.batch].state < decided {
		if skip, err = c.decide(chunks); err != nil {
			return nil, err
		}
	}
	taken := map[record.ID]bool{}
	for _, id := range skip {
		taken[id] = true
	}
	for _, chunk := range chunks {
		if !taken[chunk.ID] {
			mine = append(mine, chunk)
		}
		taken[chunk.ID] = true
	}
	return mine, nil
}

// decide claims the chunks that no batch has claimed, and enters which chunks of the batch others own.
func (c claims) decide(chunks []*record.Chunk) (others []record.ID, _ error) {
	unique := map[record.ID]bool{}
	for _, chunk := range chunks {
		unique[chunk.ID] = true
	}
	ids := slices.SortedFunc(maps.Keys(unique), compareIDs)
	all, err := c.claimsFor(ids)
	if err != nil {
		return nil, err
	}
	// A replica may not have all claims of another one yet. So the claims of others tell what they
	// own, and not the lack of the batch's own claim.
	var claimed []record.ID
	for _, id := range ids {
		if len(all[id]) == 0 {
			claimed = append(claimed, id)
		} else if own(all[id], c.batch) == nil {
			others = append(others, id)
		}
	}
	if len(claimed) > 0 {
		if err := c.enterClaims(claimed, false); err != nil {
			return nil, err
		}
		if all, err = c.claimsFor(ids); err != nil {
			return nil, err
		}
	}
	lost, err := c.lost(slices.DeleteFunc(ids, func(id record.ID) bool { return slices.Contains(others, id) }), all)
	if err != nil {
		return nil, err
	}
	others = append(others, lost...)
	return others, c.enterDecision(others)
}

func compareIDs(a, b record.ID) int { return bytes.Compare(a[:], b[:]) }

// lost are the chunks that the batch has claimed and does not own.
func (c claims) lost(ids []record.ID, all map[record.ID][]claimed) (lost []record.ID, _ error) {
	rivals := map[uint64]bool{}
	for _, id := range ids {
		for _, claim := range all[id] {
			if claim.batch != c.batch && !claim.lost {
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
		fate := c.fate(all[id], states)
		waiting = waiting || fate == undecided
		if fate == beaten {
			lost = append(lost, id)
		}
	}
	if len(lost) > 0 { // even if the rest is undecided: others may be waiting for this
		if err := c.enterClaims(lost, true); err != nil {
			return nil, err
		}
	}
	if waiting {
		return nil, errUndecided
	}
	return lost, nil
}

// Fates of a claim.
const (
	owner = iota
	undecided
	beaten
)

// fate says what becomes of the batch's claim, by all claims for the same chunk.
func (c claims) fate(all []claimed, states map[uint64]batchState) int {
	if own := own(all, c.batch); own != nil && own.lost {
		return beaten
	}
	fate := owner
	for _, claim := range all {
		switch {
		case claim.batch == c.batch || claim.lost:
		case claim.batch < c.batch || states[claim.batch].state >= decided:
			return beaten
		case time.Since(claim.at) < patience:
			fate = undecided
		}
	}
	return fate
}

// own is the claim of a batch.
func own(all []claimed, batch uint64) *claimed {
	for i := range all {
		if all[i].batch == batch {
			return &all[i]
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

// batchState is what is known of a batch.
type batchState struct {
	state  uint8
	others []record.ID // of its chunks, those that others own
}

func (c claims) states(batches []uint64) (map[uint64]batchState, error) {
	found := map[uint64]batchState{}
	return found, c.ask(c.ctx, "SELECT batch, max(state), argMax(others, state) FROM batches WHERE batch IN "+listOf(batches, number)+" GROUP BY batch",
		func(scan func(...any) error) error {
			var batch uint64
			var state batchState
			var others []string
			err := scan(&batch, &state.state, &others)
			for _, id := range others {
				state.others = append(state.others, record.ID([]byte(id)))
			}
			found[batch] = state
			return err
		})
}

func (c claims) enterDecision(others []record.ID) error { return c.enter(decided, others) }

func (c claims) enterDone() error { return c.enter(done, nil) }

func (c claims) enter(state uint8, others []record.ID) error {
	list := make([]string, len(others))
	for i, id := range others {
		list[i] = string(id[:])
	}
	return c.insert(c.ctx, "batches", column{"batch", []uint64{c.batch}}, column{"state", []uint8{state}},
		column{"others", [][]string{list}}, column{"at", []time.Time{time.Now().UTC()}})
}
