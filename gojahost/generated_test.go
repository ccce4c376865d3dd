package gojahost

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Programs of which tasks are nested, wait, throw, are interrupted and call into other
// runtimes, while the clock stops and starts, recordings are emptied and runtimes are closed:
// the pool says the same as a simple model. FIELDPROF_FULL=1 has many more.
func TestGeneratedWorlds(t *testing.T) {
	seeds := uint64(12)
	switch {
	case os.Getenv("FIELDPROF_FULL") != "":
		seeds = 1500
	case testing.Short():
		seeds = 4
	}
	for name, world := range map[string]func(*testing.T, uint64) *world{
		"exact":   func(t *testing.T, seed uint64) *world { return newWorld(t, seed, true, false, false) },
		"plain":   func(t *testing.T, seed uint64) *world { return newWorld(t, seed, true, true, false) },
		"limited": func(t *testing.T, seed uint64) *world { return newWorld(t, seed, true, false, true) },
		"late":    func(t *testing.T, seed uint64) *world { return newWorld(t, seed, false, false, seed%2 == 0) },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range seeds {
				if !t.Run(fmt.Sprint(seed), func(t *testing.T) {
					w := world(t, seed)
					w.turn()
					w.turns(6)
				}) {
					return // the first says enough
				}
			}
		})
	}
}

// found are the ticks of a profile by tags, with the idle and the lost ones. Its samples
// add up to its account.
func (w *world) found(p *profile.Profile) map[string]int64 {
	sampled(w.T, p)
	all := map[string]int64{}
	for i := range p.Len() {
		s, who := p.Sample(i), tagsOf(p.TagsOf(i))
		switch s.Kind {
		case profile.Idle:
			who = nobody
		case profile.Lost:
			who = profile.NameLost
		}
		all[who] += int64(s.Weight)
	}
	return all
}

// waiting are the ticks of a runtime that no check has taken yet. Those of one that is closed
// are lost.
func (s *seat) waiting() int64 {
	if !s.member {
		return 0
	}
	_, waiting := s.host.counter.Account()
	return waiting
}

// expected is what found must be of some runtimes. Ticks that wait are lost, until a recording
// is emptied: then they are in the next.
func expected(drained bool, seats ...*seat) map[string]int64 {
	all := map[string]int64{}
	for _, s := range seats {
		for who, ticks := range s.ticks {
			all[who] += ticks
		}
		waiting := s.waiting()
		all[profile.NameLost] += s.lost
		if all[s.who()] -= waiting; !drained {
			all[profile.NameLost] += waiting
		}
	}
	maps.DeleteFunc(all, func(_ string, ticks int64) bool { return ticks == 0 })
	return all
}

func total(ticks map[string]int64) (sum int64) {
	for _, n := range ticks {
		sum += n
	}
	return sum
}

// compare compares profiles with the model, at any moment.
func (w *world) compare() {
	w.Helper()
	p := w.pool.Profile()
	w.agree("the pool's profile", p, expected(false, w.seats...))
	for i, s := range w.seats {
		if w.exact && !w.limited && s.member && !s.again {
			w.agree(fmt.Sprintf("the profile of runtime %d", i), s.host.Profile(), expected(false, s))
		}
	}
	epoch := w.clock.Epoch()
	cut, end := epoch.Add(time.Duration(w.IntN(int(w.now)+1))), epoch.Add(w.now+1)
	whole := w.found(w.pool.Between(epoch, end))
	for who, ticks := range w.found(w.pool.Between(epoch, cut)) {
		whole[who] -= ticks
	}
	rest := w.found(w.pool.Between(cut, end))
	maps.DeleteFunc(whole, func(_ string, ticks int64) bool { return ticks == 0 })
	delete(rest, profile.NameLost) // of what is not over yet
	delete(whole, profile.NameLost)
	must.Equal(w.T, rest, whole, "the second part of a recording")
	must.Equal(w.T, w.found(w.pool.Last(w.now + time.Hour))[profile.NameLost], p.Meta.Ticks.Lost, "lost ticks of the last time")
}

// agree compares a profile with what it must have. If samples fell out, their sum remains. If
// only checks saw deadlines, the model does not know which of them were missed, but each tick
// that was raised must be there.
func (w *world) agree(what string, p *profile.Profile, want map[string]int64) {
	w.Helper()
	got := w.found(p)
	switch {
	case !w.exact:
		raised := int64(0)
		for _, s := range w.seats {
			raised += s.raised + s.host.counter.Ticks().Raised - s.before
		}
		must.Equal(w.T, total(got)+p.Meta.Ticks.Dropped, raised, what, got, p.Meta.Ticks)
	case w.limited:
		must.Equal(w.T, total(got)+p.Meta.Ticks.Dropped, total(want), what, got, want, p.Meta.Ticks)
	default:
		must.Equal(w.T, got, want, what)
		must.Equal(w.T, p.Meta.Ticks.Dropped, 0, what)
	}
	if w.Failed() {
		w.FailNow()
	}
}

// ofProgram are the functions whose time is known.
var ofProgram = regexp.MustCompile(`^(f\d+|work)$`)

// compareAtRest compares what is certain only while no task runs.
func (w *world) compareAtRest() {
	w.Helper()
	state, deadlines := w.pool.State(), int64(0)
	w.look()
	for i, s := range w.seats {
		if s.waiting() != 0 {
			w.Fatalf("runtime %d has %d ticks that wait, and no task", i, s.waiting())
		}
		due := s.counted
		if s.member {
			due = w.model.deadlines - s.since
		}
		deadlines += due
		account := s.host.counter.Ticks()
		must.Equal(w.T, account.Raised+account.Missed, due, "deadlines of runtime", i, account)
		must.Equal(w.T, account.Raised, account.Taken+account.Idle+account.GC+account.Lost, "the account of runtime", i, account)
	}
	must.Equal(w.T, state.Ticks.Raised, state.Ticks.Taken+state.Ticks.Idle+state.Ticks.GC+state.Ticks.Lost, "the pool's account", state.Ticks)
	got, want := map[string]string{}, map[string]string{}
	for _, r := range w.pool.Usage().Rows {
		got[tagsOf(r.Tags)] = fmt.Sprint(r.Tasks, r.Wall, r.Waiting)
		if w.exact {
			got[tagsOf(r.Tags)] += fmt.Sprint(" ", r.Ticks)
		}
	}
	for tags, u := range w.model.usage {
		want[tags] = fmt.Sprint(u.tasks, u.wall, u.waiting)
		if w.exact {
			want[tags] += fmt.Sprint(" ", u.ticks)
		}
	}
	must.Equal(w.T, got, want, "usage")
	if w.plain {
		w.compareFunctions()
	}
	if w.Failed() {
		w.FailNow()
	}
}

// compareFunctions compares the time of each function of its own.
func (w *world) compareFunctions() {
	got, want := map[string]int64{}, map[string]int64{}
	for name, ticks := range sampled(w.T, profile.Attribute(w.pool.Profile(), profile.BySite)) {
		if ofProgram.MatchString(name) {
			got[name] = ticks
		}
	}
	for name, ticks := range w.model.functions {
		if ticks > 0 && ofProgram.MatchString(name) {
			want[name] = ticks
		}
	}
	must.Equal(w.T, got, want, "ticks of functions")
}

// drain empties the recording, and compares what was in it.
func (w *world) drain() {
	want := expected(true, w.seats...)
	for _, s := range w.seats {
		s.before += s.waiting() // which are in the next
	}
	w.agree("the drained profile", w.pool.Drain(), want)
	w.emptied()
}

func (w *world) reset() {
	w.pool.Reset()
	w.emptied()
}

func (w *world) emptied() {
	for _, s := range w.seats {
		s.empty(s.waiting())
		s.again = false
		s.raised, s.before = 0, s.host.counter.Ticks().Raised-s.waiting()
	}
	w.model.functions = map[string]int64{}
}

// usageAgain has usage begin again.
func (w *world) usageAgain() {
	w.pool.ResetUsage()
	w.model.usage = map[string]*modelUsage{}
}
