package coordinator

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// pauses knows when Go's collector stopped the world. The coordinator and all checks
// stop with it, so a deadline that fell into a pause is always noticed late. A query
// costs less than a microsecond, and allocates nothing after the first.
type pauses struct {
	count [1]metrics.Sample // collections so far
	seen  uint64
	stats debug.GCStats // its slices are reused
}

// pauseGrain is the smallest delay at which a tick may be the collector's. Stopping and
// restarting the world takes longer.
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

// cover reports whether a deadline that is noticed now fell into a pause. It reads the
// pauses only if there was a collection since it last did: a deadline in an earlier one
// would have been found then.
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
	// Pauses are in wall-clock time, and that clock may have been set meanwhile: so the
	// deadline is converted to it each time.
	return within(p.stats.PauseEnd, p.stats.Pause, time.Now().Add(time.Duration(deadline-now)))
}

// within reports whether a time lies in one of the pauses, which are latest first.
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
