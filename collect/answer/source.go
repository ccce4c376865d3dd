package answer

import (
	"context"
	"sync"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/symbols"
)

// mostSources is how many releases sources are looked for in: those with the most time.
const mostSources = 3

// source returns a function that finds the text of a source in the maps of the cells' releases.
func (s *Service) source(app string, cells []cell) func(file string) (string, bool) {
	d := s.deployed(app)
	found := sync.OnceValue(func() []*symbols.Found { return s.sources(d, app, cells) })
	return func(file string) (string, bool) {
		for _, f := range found() {
			if text, ok := f.Source(file); ok {
				return text, true
			}
		}
		return "", false
	}
}

func (s *Service) sources(d *deployed, app string, cells []cell) (all []*symbols.Found) {
	// The text may be asked for after the question was answered.
	l, err := s.library(context.Background(), app)
	if err != nil {
		return nil
	}
	var releases []string
	scripts := map[string]*profile.Builder{}
	d.mu.Lock()
	p := d.b.Profile()
	seen := map[profile.StackID]bool{}
	for _, c := range cells {
		b := scripts[c.release]
		if b == nil {
			if len(releases) == mostSources {
				break
			}
			b = &profile.Builder{}
			scripts[c.release] = b
			releases = append(releases, c.release)
			clear(seen)
		}
		for at := d.sites[c.site].stack; at != profile.NoStack && !seen[at]; at = p.Stacks.Parent[at] {
			seen[at] = true
			f := p.Function(p.Frames.Function[p.Stacks.Frame[at]])
			b.Function(profile.Function{File: f.File, Flags: f.Flags & (profile.Pseudo | profile.NativeCode)})
		}
	}
	d.mu.Unlock()
	for _, name := range releases {
		all = append(all, symbols.In(scripts[name].Profile(), l.files(name, nil), s.memory))
	}
	return all
}
