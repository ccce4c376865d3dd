package goja

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/live/livetest"
)

// liveProgram rests, works, and calls Go and functions without checks.
const liveProgram = `
const tiny = x => x + 1;
export function work(n) { let x = 1; for (let i = 0; i < n; i++) x = tiny(x * 1103) % 65521; return x }
export function sort() { return Array.from({ length: 2000 }, (_, i) => (i * 7919) % 2001).sort((a, b) => a - b).length }
let turns = 0;
const timer = setInterval(() => { work(20000); sort(); console.error(work(3)); if (++turns === TURNS) clearInterval(timer) }, 5);
console.log("begun");
`

func writeProgram(t *testing.T, turns string) engine.Program {
	path := filepath.Join(t.TempDir(), "live.js")
	if err := os.WriteFile(path, []byte("const TURNS = "+turns+";"+liveProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	return engine.Program{Path: path, Stdout: io.Discard, Stderr: io.Discard}
}

func liveSettings(t *testing.T, url string) engine.Settings {
	return engine.Settings{Live: &engine.Live{URL: url, Lost: func(why string) { t.Errorf("lost: %s", why) }}}
}

// ticksOf are the ticks of each function but the pseudo-functions, whose ticks no sample
// takes.
func ticksOf(p *profile.Profile) map[string]int64 {
	ticks := map[string]int64{}
	for i := range p.Len() {
		s := p.Sample(i)
		if f := p.Function(p.Frames.Function[p.Stacks.Frame[s.Stack]]); f.Flags&profile.Pseudo == 0 {
			ticks[f.Name+" "+f.File] += int64(s.Weight)
		}
	}
	return ticks
}

// What the server gets is the profile of the run, attributed.
func TestLiveProfile(t *testing.T) {
	server := livetest.New(t)
	settings := liveSettings(t, server.URL)
	result, err := Run(t.Context(), writeProgram(t, "60"), settings)
	if err != nil {
		t.Fatal(err)
	}
	server.Await("the end", func(s *livetest.Source) bool { return s.Recording.State().Ended && len(s.Goodbyes) == 1 })
	server.Change(func(s *livetest.Server) {
		source := s.Sources[0]
		if !source.Attributed || source.What != "goja" || source.Name != "live.js" {
			t.Errorf("it says %+v", source.Hello)
		}
		got := source.Recording.Profile(nil)
		if err := got.CheckValid(); err != nil {
			t.Fatal(err)
		}
		want := profile.Attribute(result.Profile, settings.Rule())
		if g, w := ticksOf(got), ticksOf(want); !maps.Equal(g, w) || len(w) == 0 {
			t.Errorf("the server has %v, the run %v", g, w)
		}
		a := source.Recording.State().Account
		if a.Raised != a.Taken+a.Idle+a.Program+a.GC+a.Lost || a.Raised == 0 {
			t.Errorf("the account is %+v", a)
		}
	})
}

// A program streams while it runs, and does what the panel wants.
func TestLiveOrders(t *testing.T) {
	server := livetest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := Run(ctx, writeProgram(t, "0"), liveSettings(t, server.URL))
		ended <- err
	}()
	streams := func(number int) func(*livetest.Source) bool {
		return func(s *livetest.Source) bool {
			state := s.Recording.State()
			return state.Profile == number && state.Samples > 0 && !state.Ended && len(ticksOf(s.Recording.Profile(nil))) > 0
		}
	}
	server.Await("samples of a running program", streams(1))
	server.Change(func(s *livetest.Server) { s.Wants = live.Start{Type: live.TypeStart, Profile: 5, Interval: 1} })
	server.Await("another profile", streams(5))
	server.Change(func(s *livetest.Server) { s.Stopped = true })
	server.Await("its end", func(s *livetest.Source) bool { return s.Recording.State().Ended })
	server.Change(func(s *livetest.Server) { s.Stopped, s.Wants.Profile = false, 6 })
	server.Await("one more", streams(6))
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// Without a server the run goes on.
func TestLiveWithoutServer(t *testing.T) {
	var lost []string
	settings := engine.Settings{Live: &engine.Live{URL: "http://127.0.0.1:1", Lost: func(why string) { lost = append(lost, why) }}}
	result, err := Run(t.Context(), writeProgram(t, "2"), settings)
	if err != nil || result.ExitCode != 0 || result.Profile.Len() == 0 {
		t.Fatal(result, err)
	}
	if len(lost) != 1 {
		t.Errorf("it was told %q", lost)
	}
}
