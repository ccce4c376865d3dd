package answer

import (
	"context"
	"sync"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/symbols"
)

// mostSources is how many releases sources are looked for in: those with the most time.
const mostSources = 3

// source returns a function that finds the text of a source in the maps of the releases.
func (s *Service) source(app string, of *stacks) func(file string) (string, bool) {
	found := sync.OnceValue(func() []*symbols.Found { return s.sources(app, of) })
	return func(file string) (string, bool) {
		for _, f := range found() {
			if text, ok := f.Source(file); ok {
				return text, true
			}
		}
		return "", false
	}
}

func (s *Service) sources(app string, of *stacks) (all []*symbols.Found) {
	// The text may be asked for after the question was answered.
	l, err := s.library(context.Background(), app)
	if err != nil {
		return nil
	}
	for i := range of.cells.releases[:min(mostSources, len(of.cells.releases))] {
		r := &of.cells.releases[i]
		all = append(all, s.in(of.from.scripts(r), l.files(r.name, nil)))
	}
	return all
}

// scripts is a profile of nothing but the scripts of a release.
func (d *deployed) scripts(r *releaseCells) *profile.Profile {
	d.mu.Lock()
	defer d.mu.Unlock()
	var b profile.Builder
	p := d.b.Profile()
	seen := map[profile.StackID]bool{}
	for _, h := range r.sites {
		site, known := d.sites[h]
		if !known {
			continue
		}
		for at := site.stack; at != profile.NoStack && !seen[at]; at = p.Stacks.Parent[at] {
			seen[at] = true
			f := p.Function(p.Frames.Function[p.Stacks.Frame[at]])
			b.Function(profile.Function{File: f.File, Flags: f.Flags & (profile.Pseudo | profile.NativeCode)})
		}
	}
	return b.Profile()
}
