package answer

import (
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/symbols"
)

// Service answers questions from a store. It may be used by several goroutines.
type Service struct {
	store   store.Store
	options Options
	memory  *symbols.Memory
	recent  recent
	parsing sync.Mutex // large files

	symbolizers symbolizers

	mu   sync.Mutex
	apps map[string]*deployed
}

// Options say what the service should know of apps.
type Options struct {
	// FirstParty are the hosts of an app's own scripts, in addition to the host of the page.
	FirstParty func(app string) []string
	// Remember is for how long the profile of a selection answers further questions about it; 0:
	// every question is put to the store.
	Remember time.Duration
	// MapBytes bounds the parsed maps that are kept; 0 means DefaultMapBytes.
	MapBytes int64
}

// DefaultMapBytes is what parsed maps may take.
const DefaultMapBytes = 96 << 20

// New makes a service.
func New(s store.Store, o Options) *Service {
	if o.MapBytes == 0 {
		o.MapBytes = DefaultMapBytes
	}
	return &Service{store: s, options: o, memory: symbols.NewMemory(o.MapBytes), apps: map[string]*deployed{}}
}

// Result is a profile of a selection: what all sessions did, in source positions, attributed.
type Result struct {
	Profile *profile.Profile
	// Scale is how many ticks of all sessions a tick of Profile represents.
	Scale float64
	// Received is the number of ticks that the sessions sent.
	Received int64
	// Notes say what is missing: maps, or stacks beyond a limit.
	Notes []string
	// Source is the text of a source file, if a map has it.
	Source func(file string) (string, bool)
}

// ProfileOptions say how a profile is made.
type ProfileOptions struct {
	KeepIgnored bool // keep frames of frameworks instead of folding them into their callers
	Deployed    bool // keep deployed positions
}
