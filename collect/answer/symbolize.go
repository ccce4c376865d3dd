package answer

import (
	"context"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
)

// listed is for how long a list of files serves Symbolize.
const listed = 10 * time.Second

// symbolizers are the symbolizers of apps whose profiles are forwarded.
type symbolizers struct {
	mu    sync.Mutex
	known map[string]*symbolizer
}

type symbolizer struct {
	mu     sync.Mutex
	tracer *tracer
	until  time.Time
}

func (s *symbolizers) of(app string) *symbolizer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]*symbolizer{}
	}
	if s.known[app] == nil {
		s.known[app] = &symbolizer{}
	}
	return s.known[app]
}

// Symbolize finds the profile of a series in the sources, for those that get profiles as they arrive. The
// profile stays as it is if the store cannot be asked.
func (s *Service) Symbolize(ctx context.Context, of *record.Series, p *profile.Profile) *profile.Profile {
	y := s.symbolizers.of(of.App)
	y.mu.Lock()
	defer y.mu.Unlock()
	if now := time.Now(); y.tracer == nil || now.After(y.until) {
		t, err := s.tracer(context.WithoutCancel(ctx), of.App) // the next series needs it, too
		if err != nil {
			return p
		}
		y.tracer, y.until = t, now.Add(listed)
	}
	found, err := y.tracer.find(of, p)
	if err != nil {
		y.tracer = nil
		return p
	}
	return found
}
