package mozilla

import (
	"time"

	"github.com/fieldprof/fieldprof/gojahost"
)

// session holds the samples from a start to a stop. Beyond its limit it drops the
// oldest ticks.
type session struct {
	interval       time.Duration
	limit          int64 // ticks
	gc             bool  // report the collector's ticks
	started, ended int64 // nanoseconds since the coordinator was made
	stop           func()

	samples []gojahost.Sample
	gone    int   // samples at the front that were dropped
	ticks   int64 // of the others
}

// add adds a sample with some of its ticks.
func (s *session) add(sample gojahost.Sample, ticks int64) {
	if ticks == 0 {
		return
	}
	sample.Weight = int32(ticks)
	s.samples = append(s.samples, sample)
	for s.ticks += ticks; s.ticks > s.limit; s.gone++ {
		oldest := &s.samples[s.gone]
		if excess := s.ticks - s.limit; excess < int64(oldest.Weight) {
			oldest.Weight -= int32(excess)
			s.ticks = s.limit
			break
		}
		s.ticks -= int64(oldest.Weight)
	}
	if s.gone > len(s.samples)/2 && s.gone > 1024 {
		s.samples = append([]gojahost.Sample(nil), s.samples[s.gone:]...)
		s.gone = 0
	}
}

// kept returns the samples, in order of time.
func (s *session) kept() []gojahost.Sample { return s.samples[s.gone:] }

// clear drops the samples and starts again from now.
func (s *session) clear(now int64) {
	s.samples, s.gone, s.ticks, s.started = nil, 0, 0, now
}
