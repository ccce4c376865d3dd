package mozilla

import (
	"time"

	"github.com/fieldprof/fieldprof/gojahost"
)

// session is what is sampled from a start to a stop. Of more ticks than its
// limit it keeps the latest.
type session struct {
	interval       time.Duration
	limit          int64 // ticks
	gc             bool  // tell of the collector's
	started, ended int64 // nanoseconds since the coordinator was made
	stop           func()

	samples []gojahost.Sample
	gone    int   // samples at the front that went
	ticks   int64 // of those that are left
}

// add keeps some ticks of a sample.
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

// kept are the samples, in order of time.
func (s *session) kept() []gojahost.Sample { return s.samples[s.gone:] }

// clear forgets the samples; those to come count from now.
func (s *session) clear(now int64) {
	s.samples, s.gone, s.ticks, s.started = nil, 0, 0, now
}
