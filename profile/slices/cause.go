package slices

import (
	"slices"
	"time"
)

// findCause finds the function that has half of the busy time itself; or else the innermost one, no
// framework's, that has it with its callees.
func (j *judge) findCause(b *Blame, tallies []*tally, steps []step, busy int64) {
	var cause *tally
	for _, t := range tallies {
		if t.spent > 0 && (cause == nil || t.spent > cause.spent) {
			cause = t
		}
	}
	if cause != nil && 2*cause.spent >= busy {
		j.tell(b, cause, cause.spent, steps, func(path []*tally) bool { return spender(path) == cause })
		return
	}
	cause = nil
	for _, t := range tallies {
		if (t.group == Own || t.group == ThirdParty) && 2*t.total >= busy &&
			(cause == nil || t.total < cause.total || t.total == cause.total && t.depth > cause.depth) {
			cause = t
		}
	}
	if cause != nil {
		j.tell(b, cause, cause.total, steps, func(path []*tally) bool { return slices.Contains(path, cause) })
	}
}

// tell writes down a cause and its handler, as seen in some of the steps.
func (j *judge) tell(b *Blame, cause *tally, spent int64, steps []step, counts func([]*tally) bool) {
	b.Cause = &Cause{j.p.Function(cause.function), cause.group, time.Duration(spent), Groups{}}
	votes := map[*tally]int64{}
	var candidates []*tally // in the order of their first vote
	for i := range steps {
		s := &steps[i]
		if !counts(s.path) {
			continue
		}
		b.Cause.Groups[s.group] += time.Duration(s.time)
		handler := outermost(s.path, Own)
		if handler == nil {
			handler = outermost(s.path, ThirdParty)
		}
		if handler == nil {
			continue
		}
		if _, voted := votes[handler]; !voted {
			candidates = append(candidates, handler)
		}
		votes[handler] += s.time
	}
	var handler *tally
	for _, t := range candidates {
		if handler == nil || votes[t] > votes[handler] {
			handler = t
		}
	}
	if handler != nil && handler != cause {
		f := j.p.Function(handler.function)
		b.Handler = &f
	}
}

func outermost(path []*tally, group Group) *tally {
	for _, t := range slices.Backward(path) {
		if t.group == group {
			return t
		}
	}
	return nil
}
