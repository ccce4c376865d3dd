package coordinator

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// pauses knows when Go's collector stopped the world. The coordinator stands
// still with it, and so do all checks, so a deadline that fell into a pause is
// always found late. Asking costs under a microsecond, and allocates nothing
// after the first time.
type pauses struct {
	count [1]metrics.Sample // collections so far
	seen  uint64
	stats debug.GCStats // its slices are used again
}

// pauseGrain is the least delay that makes a tick suspect. Stopping the world
// and starting it again takes longer.
const pauseGrain = int64(2 * time.Microsecond)

// begin forgets all pauses before now, and lets the buffers grow.
func (p *pauses) begin() {
	p.count[0].Name = "/gc/cycles/total:gc-cycles"
	p.seen = p.cycles()
	debug.ReadGCStats(&p.stats)
}

func (p *pauses) cycles() uint64 {
	metrics.Read(p.count[:])
	if p.count[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return p.count[0].Value.Uint64()
}

// cover reports whether a deadline that is looked at now fell into a pause. It
// asks for the pauses only when there was a collection since it last did: a
// deadline in one of those seen before would have been found then.
func (p *pauses) cover(deadline, now int64) bool {
	if now-deadline < pauseGrain {
		return false
	}
	cycles := p.cycles()
	if cycles == p.seen {
		return false
	}
	p.seen = cycles
	debug.ReadGCStats(&p.stats)
	// Pauses are told by the wall clock, which may have been set meanwhile: so
	// the deadline is placed on it afresh.
	return within(p.stats.PauseEnd, p.stats.Pause, time.Now().Add(time.Duration(deadline-now)))
}

// within reports whether a time lies in one of the pauses, the latest first.
func within(ends []time.Time, lengths []time.Duration, at time.Time) bool {
	at = at.Round(0) // drops the monotonic reading
	for i, end := range ends {
		if end.Before(at) {
			return false
		}
		if !at.Before(end.Add(-lengths[i])) {
			return true
		}
	}
	return false
}
