package forward

import "github.com/fieldprof/fieldprof/collect/record"

// recent knows the latest IDs, so that chunks that clients send twice are forwarded once.
type recent struct{ now, before map[record.ID]bool }

// generation is how many IDs are forgotten at once.
const generation = 100_000

// add reports whether an ID is new.
func (r *recent) add(id record.ID) bool {
	if r.now[id] || r.before[id] {
		return false
	}
	if len(r.now) >= generation {
		r.now, r.before = nil, r.now
	}
	if r.now == nil {
		r.now = map[record.ID]bool{}
	}
	r.now[id] = true
	return true
}
