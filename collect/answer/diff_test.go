package answer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// population is a store with two releases whose sessions are drawn from one population, except that
// some functions of the second take more time.
type population struct {
	*memory.Store
	random *rand.Rand
	slower map[int]float64
}

const populationFunctions = 30

func (s *population) Sites(_ context.Context, _ string, hashes []store.Hash) (sites []store.Site, _ error) {
	for _, h := range hashes {
		f := profile.Function{Name: fmt.Sprint("f", h), File: script, Line: int32(h) + 1, Column: 1, Flags: profile.Checked}
		sites = append(sites, store.Site{Hash: h, Frames: []store.Frame{{Function: f, Line: f.Line, Column: 2}}})
	}
	return sites, nil
}

// Ticks draws sessions: each has its own mix of functions, and a tenth of the functions are in few of them.
func (s *population) Ticks(_ context.Context, of store.Selection, by store.Grouping, _ int) (*store.Ticks, error) {
	release := of.Where[record.Release][0]
	ticks := &store.Ticks{}
	for at := of.From; at.Before(of.To); at = at.Add(by.Step) {
		ticks.Groups = append(ticks.Groups, store.Group{Values: []string{release}, At: at, Rate: 0.1, Interval: 10 * time.Millisecond})
		ticks.Rest = append(ticks.Rest, 0)
		n := [populationFunctions]int64{}
		for range poisson(s.random, 40) {
			var weights [populationFunctions]float64
			all := 0.0
			for f := range weights {
				weights[f] = math.Exp(0.5*s.random.NormFloat64()) / float64(f+3)
				if f%10 == 4 && s.random.IntN(10) > 0 {
					weights[f] = 0
				}
				if release == "2" {
					weights[f] *= 1 + s.slower[f]
				}
				all += weights[f]
			}
			for range 40 {
				draw := s.random.Float64() * all
				for f, w := range weights {
					if draw -= w; draw < 0 {
						n[f]++
						break
					}
				}
			}
		}
		for f, ticksOf := range n {
			if ticksOf > 0 {
				ticks.Sums = append(ticks.Sums, store.Sum{Group: len(ticks.Groups) - 1, Site: store.Hash(f), Ticks: ticksOf})
			}
		}
	}
	return ticks, nil
}

func (s *population) diff(t *testing.T) *Diff {
	t.Helper()
	before, after := day("shop"), day("shop")
	before.Where, after.Where = map[string][]string{record.Release: {"1"}}, map[string][]string{record.Release: {"2"}}
	return must.Get(New(s, Options{}).Diff(context.Background(), before, after, ProfileOptions{}, 0))(t)
}

func newPopulation() *population {
	return &population{memory.New(), rand.New(rand.NewPCG(18, 2)), nil}
}

func TestDiffOfEqualReleasesFindsNothing(t *testing.T) {
	skipSimulation(t)
	s, found := newPopulation(), 0
	const studies = 200
	for range studies {
		if s.diff(t).Diff.Changed > 0 {
			found++
		}
	}
	// With the default level, 4 are expected at most; 11 or more have a chance of 1 in 300.
	if float64(found) > studies*view.DefaultLevel+6 {
		t.Errorf("%d of %d comparisons of equal releases find a change", found, studies)
	}
}

func TestDiffFindsWhatIsSlower(t *testing.T) {
	s := newPopulation()
	s.slower = map[int]float64{3: 0.5} // of a function with 6 % of the time
	const studies = 20
	found := 0
	for range studies {
		d := s.diff(t)
		must.Equal(t, d.Before+", "+d.After, "release 1, release 2")
		must.Equal(t, d.Blocks, [2]int{mostBlocks, mostBlocks})
		if !strings.Contains(d.Summary, "in 12 and 12 blocks of time") {
			t.Error(d.Summary)
		}
		for _, f := range d.Diff.Functions[:d.Diff.Changed] {
			if f.Name == "f3" && f.Self.After > f.Self.Before {
				found++
			}
		}
	}
	if found < studies-1 {
		t.Errorf("found in %d of %d comparisons", found, studies)
	}
}

// One block a side: the difference between blocks is unknown, and the answer says so.
func TestDiffOfOneBlock(t *testing.T) {
	w := newWorld(t)
	w.chunk(record.Labels{"release": "1"}, noon, ticks(script, "a", 50, "b", 50))
	w.chunk(record.Labels{"release": "2"}, noon, ticks(script, "a", 450, "b", 50))
	before, after := day("shop"), day("shop")
	before.Where, after.Where = map[string][]string{record.Release: {"1"}}, map[string][]string{record.Release: {"2"}}
	d := must.Get(w.Diff(context.Background(), before, after, ProfileOptions{}, 0))(t)
	must.Equal(t, d.Blocks, [2]int{1, 1})
	if d.Diff.Changed == 0 || !strings.Contains(d.Summary, "single stretch of time") {
		t.Errorf("%d changes; %s", d.Diff.Changed, d.Summary)
	}
	after.Where = map[string][]string{record.Release: {"3"}}
	if _, err := w.Diff(context.Background(), before, after, ProfileOptions{}, 0); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}

// A release that was there for an hour of the day has blocks of minutes.
func TestDiffOfAShortRelease(t *testing.T) {
	w := newWorld(t)
	for minute := range 24 * 60 / 5 {
		w.chunk(record.Labels{"release": "1"}, noon.Add(time.Duration(minute*5-12*60)*time.Minute), ticks(script, "a", 10, "b", 10))
	}
	for minute := range 60 {
		w.chunk(record.Labels{"release": "2"}, noon.Add(time.Duration(minute)*time.Minute), ticks(script, "a", 10, "b", 10))
	}
	before, after := day("shop"), day("shop")
	before.Where, after.Where = map[string][]string{record.Release: {"1"}}, map[string][]string{record.Release: {"2"}}
	d := must.Get(w.Diff(context.Background(), before, after, ProfileOptions{}, 0))(t)
	must.Equal(t, d.Blocks, [2]int{12, 12})
	must.Equal(t, []any{d.Diff.Before.BusyTicks, d.Diff.After.BusyTicks, d.Diff.Changed}, []any{int64(288 * 20), int64(1200), 0})
}
