package ingest

import (
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// sites bounds how many sites an app adds to the store in a day: a store keeps each for as long as its ticks, and a sender can
// make up any number. Those that were seen on this day or the one before are known.
type sites struct {
	mu           sync.Mutex
	day          int64
	known, older map[store.Hash]struct{} // of the day, and of the one before
	added        int
}

// knownPerAdded is how many sites are known at most, for each that a day may add.
const knownPerAdded = 2

// keep gives the ticks of sites for which there is no room to one site, and returns how many they were.
func (s *sites) keep(p *profile.Profile, most int, now time.Time) (kept *profile.Profile, beyond int) {
	if p == nil {
		return nil, 0
	}
	var rare []int
	hashes := store.SitesOf(p)
	s.mu.Lock()
	s.turn(now)
	for i, h := range hashes {
		if !s.admit(h, most) && !isAlone(p, p.Samples.Stack[i]) {
			rare = append(rare, i)
		}
	}
	s.mu.Unlock()
	if len(rare) == 0 {
		return p, 0
	}
	return record.Sum(withRare(p, rare)), len(rare)
}

func (s *sites) turn(now time.Time) {
	day := now.Unix() / (24 * 3600)
	if s.known != nil && day == s.day {
		return
	}
	s.older = nil
	if day == s.day+1 {
		s.older = s.known
	}
	s.day, s.known, s.added = day, map[store.Hash]struct{}{}, 0
}

func (s *sites) admit(h store.Hash, most int) bool {
	if _, known := s.known[h]; known {
		return true
	}
	_, isOlder := s.older[h]
	if len(s.known) >= knownPerAdded*most || !isOlder && s.added >= most {
		return false
	}
	if !isOlder {
		s.added++
	}
	s.known[h] = struct{}{}
	return true
}

// isAlone reports whether a stack says only that nothing ran: of these there are few, and all that is counted needs them.
func isAlone(p *profile.Profile, s profile.StackID) bool {
	return s == profile.NoStack || p.Stacks.Parent[s] == profile.NoStack && !p.IsBusy(s)
}

// withRare is a profile in which some samples are of rare stacks.
func withRare(p *profile.Profile, rare []int) *profile.Profile {
	var b profile.Builder
	b.Meta = p.Meta
	frames := make([]profile.FrameID, len(p.Frames.Function))
	for i, f := range p.Frames.Function {
		frames[i] = b.Frame(b.Function(p.Function(f)), p.Frames.Line[i], p.Frames.Column[i])
	}
	stacks := make([]profile.StackID, len(p.Stacks.Parent))
	for i, parent := range p.Stacks.Parent {
		caller := profile.NoStack
		if parent != profile.NoStack {
			caller = stacks[parent]
		}
		stacks[i] = b.Stack(caller, frames[p.Stacks.Frame[i]])
	}
	for i := range p.Len() {
		sample := p.Sample(i)
		switch {
		case len(rare) > 0 && rare[0] == i:
			rare = rare[1:]
			sample.Stack, sample.Kind, sample.Marker = b.Pseudo(profile.NoStack, record.RareStacks), profile.Own, profile.NoMarker
		case sample.Stack != profile.NoStack:
			sample.Stack = stacks[sample.Stack]
		}
		b.Sample(sample)
	}
	return b.Profile()
}
