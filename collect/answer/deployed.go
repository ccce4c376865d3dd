package answer

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
)

// Bounds on what is kept of the stacks of all apps.
const (
	mostStacks = 1 << 19 // beyond it, the next question starts afresh
	mostFrames = 1 << 19 // symbolized, of all releases
	cutDepth   = 48      // of stacks that a question has beyond mostStacks
	atOnce     = 1000    // sites asked for
)

// deployed has the sites of an app that questions have been about, in deployed coordinates, and what
// its releases make of their frames. A hash means one site forever, so nothing here becomes
// outdated.
type deployed struct {
	mu       sync.Mutex
	b        profile.Builder
	sites    map[store.Hash]site
	releases map[string]*release
	cut      bool // stacks had to be cut

	stacks, frames atomic.Int64 // that are kept; frames of all releases
}

type site struct {
	stack  profile.StackID
	kind   profile.Kind
	marker profile.Marker
}

func newDeployed() *deployed {
	return &deployed{sites: map[store.Hash]site{}, releases: map[string]*release{}}
}

// deployed returns what is kept of an app. If too much is kept, what is kept of other apps goes first.
func (s *Service) deployed(app string) *deployed {
	s.mu.Lock()
	defer s.mu.Unlock()
	stacks, frames := int64(0), int64(0)
	for _, d := range s.apps {
		stacks, frames = stacks+d.stacks.Load(), frames+d.frames.Load()
	}
	d := s.apps[app]
	if isFull(stacks, frames) {
		clear(s.apps)
	}
	if d == nil || isFull(d.stacks.Load(), d.frames.Load()) {
		d = newDeployed()
	}
	s.apps[app] = d
	return d
}

func isFull(stacks, frames int64) bool { return stacks > mostStacks || frames > mostFrames }

// learn gets the sites that are not known yet from the store.
func (d *deployed) learn(ctx context.Context, from store.Store, app string, hashes []store.Hash) error {
	d.mu.Lock()
	missing := slices.DeleteFunc(hashes, func(h store.Hash) bool { _, known := d.sites[h]; return known })
	d.mu.Unlock()
	for part := range slices.Chunk(missing, atOnce) {
		sites, err := from.Sites(ctx, app, part)
		if err != nil {
			return err
		}
		d.mu.Lock()
		for i := range sites {
			d.add(&sites[i])
		}
		d.mu.Unlock()
	}
	return nil
}

func (d *deployed) add(s *store.Site) {
	if _, known := d.sites[s.Hash]; known {
		return
	}
	frames := s.Frames
	if d.b.Stacks() > mostStacks && len(frames) > cutDepth {
		frames, d.cut = frames[:cutDepth], true
	}
	at := profile.NoStack
	for _, f := range slices.Backward(frames) {
		at = d.b.Stack(at, d.frame(f))
	}
	d.sites[s.Hash] = site{at, s.Kind, s.Marker}
	d.stacks.Store(int64(d.b.Stacks()))
}

func (d *deployed) frame(f store.Frame) profile.FrameID {
	return d.b.Frame(d.b.Function(f.Function), f.Line, f.Column)
}
