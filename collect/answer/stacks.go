package answer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// rareStacks is what the time of sites beyond the store's limit is called.
const rareStacks = "(rare stacks)"

// stacks are cells as the sources have them, with their time attributed.
type stacks struct {
	// p has a sample for each cell, by its index, and a last one for the rare stacks.
	p *profile.Profile
	// unmapped is the script that the function on top of a cell is in, if nothing is known of it.
	unmapped []string
	cells    *cells
	from     *deployed
	notes    []string
}

// stacks finds cells in the sources. Where functions of several releases are the same, they are named as
// in the first release.
func (s *Service) stacks(ctx context.Context, app string, cells *cells, o ProfileOptions) (*stacks, error) {
	d := s.deployed(app)
	if err := d.learn(ctx, s.store, app, cells.hashes()); err != nil {
		return nil, err
	}
	l, err := s.library(ctx, app)
	if err != nil {
		return nil, err
	}
	out := &stacks{cells: cells, from: d, unmapped: make([]string, cells.n)}
	d.mu.Lock()
	b, err := out.translate(d, l, s, o)
	if d.cut {
		out.notes = append(out.notes, fmt.Sprintf("stacks deeper than %d were cut, because there are very many", cutDepth))
	}
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	b.Sample(profile.Sample{Time: int64(cells.n), Stack: b.Pseudo(profile.NoStack, rareStacks), Weight: 1})
	b.Meta.IdleKnown = true
	out.p = b.Profile()
	if isTaken(out.p) {
		out.p = profile.Attribute(out.p, profile.BySite)
	}
	ignored := func(f profile.Flags) bool { return f&profile.Ignored != 0 }
	if !o.KeepIgnored && slices.ContainsFunc(out.p.Functions.Flags, ignored) {
		out.p = profile.Fold(out.p, func(f profile.Function) bool { return ignored(f.Flags) })
	}
	return out, nil
}

// isTaken reports whether samples are as they were taken, before attribution: pages send attributed ones.
func isTaken(p *profile.Profile) bool {
	for i, kind := range p.Samples.Kind {
		if kind == profile.Entry || kind == profile.Loop || kind == profile.Exit || p.Samples.Stack[i] == profile.NoStack {
			return true
		}
	}
	return false
}

// translate makes a profile of the cells. d is locked.
func (out *stacks) translate(d *deployed, l *library, s *Service, o ProfileOptions) (*profile.Builder, error) {
	var b profile.Builder
	from := d.b.Profile()
	t := &translator{from: from, to: &b, stacks: slices.Repeat([]profile.StackID{unseen}, len(from.Stacks.Parent)),
		made: slices.Repeat([]profile.FrameID{unmade}, len(from.Frames.Function)), known: make([]bool, len(from.Frames.Function))}
	merged := merger{}
	for i := range out.cells.releases {
		of := &out.cells.releases[i]
		t.begin()
		for _, h := range of.sites {
			if site, known := d.sites[h]; known {
				t.see(site.stack)
			}
		}
		if !o.Deployed {
			r := d.release(l, of.name)
			if err := s.resolve(d, r, l, t.frames, nil); err != nil {
				return nil, err
			}
			t.use(r, &merged)
			for _, w := range r.warnings {
				out.notes = append(out.notes, fmt.Sprintf("%s: %s", releaseText(of.name), w))
			}
		}
		for i, h := range of.sites {
			number := of.first + i
			site, known := d.sites[h]
			sample := profile.Sample{Time: int64(number), Kind: site.kind, Marker: site.marker, Weight: 1}
			if known {
				sample.Stack = t.stack(site.stack)
			} else { // removed from the store in the meantime
				sample.Stack = b.Pseudo(profile.NoStack, rareStacks)
			}
			if known && !o.Deployed {
				out.unmapped[number] = t.unmapped(site.stack)
			}
			b.Sample(sample)
		}
	}
	return &b, nil
}

// profile is the stacks with so many ticks each; the last are the ticks of the rare stacks.
func (out *stacks) profile(ticks []float64, interval time.Duration) *profile.Profile {
	p := *out.p
	p.Meta.Interval, p.Meta.Summed = interval, true
	p.Samples = profile.Samples{}
	add := func(i int, n int64) {
		s, from := &p.Samples, out.p.Sample(i)
		for n > 0 {
			w := min(n, math.MaxInt32)
			n -= w
			s.Time, s.Skid = append(s.Time, 0), append(s.Skid, 0)
			s.Stack, s.Weight, s.Kind = append(s.Stack, from.Stack), append(s.Weight, int32(w)), append(s.Kind, from.Kind)
			if out.p.Samples.Marker != nil {
				s.Marker = append(s.Marker, from.Marker)
			}
		}
	}
	carry := 0.0 // so that rounding neither adds nor loses ticks
	for i, n := range ticks {
		if n == 0 {
			continue
		}
		whole := math.Round(n + carry)
		carry += n - whole
		add(i, int64(whole))
	}
	return &p
}

// lacking says which maps are missing, by the ticks of each cell.
func (out *stacks) lacking(ticks []float64) (notes []string) {
	type script struct{ release, file string }
	all, of := map[string]float64{}, map[script]float64{}
	for i := range out.cells.releases {
		r := &out.cells.releases[i]
		for number := r.first; number < r.first+len(r.sites); number++ {
			if s := out.p.Samples.Stack[number]; !out.p.IsBusy(s) {
				continue
			}
			all[r.name] += ticks[number]
			if file := out.unmapped[number]; file != "" {
				of[script{r.name, file}] += ticks[number]
			}
		}
	}
	scripts := slices.SortedFunc(maps.Keys(of), func(a, b script) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a.release, b.release), cmp.Compare(a.file, b.file))
	})
	for _, s := range scripts {
		if share := of[s] / all[s.release]; share >= leastLacking {
			notes = append(notes, fmt.Sprintf("%s: no source map or function table for %s, which has %.0f %% of its busy time; instrument upload adds one", releaseText(s.release), s.file, 100*share))
		}
	}
	return notes
}

// leastLacking is the share of a release's time from which a missing map is worth a note.
const leastLacking = 0.05

func releaseText(name string) string {
	if name == "" {
		return "sessions without a release"
	}
	return "release " + name
}
