package coordinator

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// pauses knows when Go's collector stopped the world. The coordinator stands
// still with it, so a deadline that fell into a pause is always found late.
type pauses struct {
	epoch time.Time
	count [1]metrics.Sample // collections so far
	seen  uint64
	stats debug.GCStats
}

// begin forgets all pauses before now.
func (p *pauses) begin(epoch time.Time) {
	p.epoch = epoch
	p.count[0].Name = "/gc/cycles/total:gc-cycles"
	p.seen = p.cycles()
}

func (p *pauses) cycles() uint64 {
	metrics.Read(p.count[:])
	if p.count[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return p.count[0].Value.Uint64()
}

// cover reports whether a deadline that is looked at now fell into a pause. It
// asks for the pauses only when there was a collection since it last did, and
// keeps their buffers, so it allocates nothing in the steady state.
func (p *pauses) cover(deadline, now int64) bool {
	if now == deadline {
		return false
	}
	cycles := p.cycles()
	if cycles == p.seen && (len(p.stats.PauseEnd) == 0 || int64(p.stats.PauseEnd[0].Sub(p.epoch)) < deadline) {
		return false
	}
	p.seen = cycles
	debug.ReadGCStats(&p.stats)
	for i, end := range p.stats.PauseEnd { // the latest first
		ended := int64(end.Sub(p.epoch))
		if ended < deadline {
			return false
		}
		if ended-int64(p.stats.Pause[i]) <= deadline {
			return true
		}
	}
	return false
}
