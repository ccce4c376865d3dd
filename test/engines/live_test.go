package engines

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/internal/livetest"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
)

// liveProgram rests, works, and calls Go and functions without checks.
const liveSource = `
var tiny = x => x + 1;
function work(n) { let x = 1; for (let i = 0; i < n; i++) x = tiny(x * 1103) % 65521; return x }
function sort() { return Array.from({ length: 2000 }, (_, i) => (i * 7919) % 2001).sort((a, b) => a - b).length }
let turns = 0;
const timer = setInterval(() => { work(20000); sort(); console.error(work(3)); if (++turns === TURNS) clearInterval(timer) }, 5);
console.log("begun");
`

func liveProgram(t *testing.T, turns string) engine.Program {
	path := filepath.Join(t.TempDir(), "live.js")
	if err := os.WriteFile(path, []byte("const TURNS = "+turns+";"+liveSource), 0o600); err != nil {
		t.Fatal(err)
	}
	return engine.Program{Path: path, Stdout: io.Discard, Stderr: io.Discard}
}

func liveSettings(t *testing.T, url string) engine.Settings {
	return engine.Settings{Clock: "auto", Live: &engine.Live{URL: url, Lost: func(why string) { t.Errorf("lost: %s", why) }}}
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

// shown are the engines whose runs a server is shown.
var shown = map[string]runner{"goja": goja.Run, "node": node.Run}

func eachShown(t *testing.T, test func(t *testing.T, run runner, server *livetest.Server)) {
	for name, run := range shown {
		t.Run(name, func(t *testing.T) { test(t, run, livetest.New(t)) })
	}
}

// The server gets the profile of the run, attributed, except that Node says only
// at the end which ticks belonged to its collector.
func TestLiveProfile(t *testing.T) {
	eachShown(t, func(t *testing.T, run runner, server *livetest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		settings := liveSettings(t, server.URL)
		var result *engine.Result
		ended := make(chan error)
		go func() {
			var err error
			result, err = run(ctx, liveProgram(t, "0"), settings)
			ended <- err
		}()
		// However fast the machine is, the program works until it has been seen at it.
		server.Await("samples of functions", func(s *livetest.Source) bool {
			p := s.Recording.Profile(nil)
			return len(ticksOf(p)) > 0 && p.Meta.Skid.Count > 0
		})
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		checkShown(t, server, result, settings)
	})
}

// A short program, of which perhaps no function was seen at work, is shown to its end.
func TestLiveEnd(t *testing.T) {
	eachShown(t, func(t *testing.T, run runner, server *livetest.Server) {
		settings := liveSettings(t, server.URL)
		_, result := perform(t, run, liveProgram(t, "20"), settings)
		checkShown(t, server, result, settings)
	})
}

// checkShown compares what the server has with the result of the run.
func checkShown(t *testing.T, server *livetest.Server, result *engine.Result, settings engine.Settings) {
	t.Helper()
	server.Await("the end", func(s *livetest.Source) bool { return s.Recording.State().Ended && len(s.Goodbyes) == 1 })
	server.Change(func(s *livetest.Server) {
		source := s.Sources[0]
		if !source.Attributed || source.Name != "live.js" {
			t.Errorf("it says %+v", source.Hello)
		}
		p := source.Recording.Profile(nil)
		if err := p.CheckValid(); err != nil {
			t.Fatal(err)
		}
		if p.Meta.Interval != result.Profile.Meta.Interval {
			t.Errorf("it is a profile with %+v", p.Meta)
		}
		got, want := ticksOf(p), ticksOf(profile.Attribute(result.Profile, settings.Rule()))
		more := int64(0)
		for name, ticks := range got {
			if more += ticks - want[name]; ticks < want[name] {
				t.Errorf("%s has %d ticks at the server, %d in the run", name, ticks, want[name])
			}
		}
		if more > result.Profile.Meta.Ticks.GC || result.Profile.Meta.Engine == "goja" && more != 0 {
			t.Errorf("the server has %v, the run %v with %d ticks of the collector", got, want, result.Profile.Meta.Ticks.GC)
		}
		a := source.Recording.State().Account
		if a.Raised != a.Taken+a.Idle+a.Program+a.GC+a.Lost {
			t.Errorf("the account is %+v", a)
		}
	})
}

// A program streams while it runs, and does what the panel wants.
func TestLiveOrders(t *testing.T) {
	eachShown(t, func(t *testing.T, run runner, server *livetest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := run(ctx, liveProgram(t, "0"), liveSettings(t, server.URL))
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
	})
}

// A program that never rests streams as well.
func TestLiveBusy(t *testing.T) {
	eachShown(t, func(t *testing.T, run runner, server *livetest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		program := liveProgram(t, "0")
		source, err := os.ReadFile(program.Path)
		if err == nil {
			err = os.WriteFile(program.Path, append(source, "for (;;) work(1000)"...), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() {
			_, err := run(ctx, program, liveSettings(t, server.URL))
			ended <- err
		}()
		server.Await("three batches", func(s *livetest.Source) bool { return len(s.Batches) >= 3 })
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	})
}

// Without a server the run goes on, and reports that once.
func TestLiveWithoutServer(t *testing.T) {
	eachShown(t, func(t *testing.T, run runner, server *livetest.Server) {
		server.Change(func(s *livetest.Server) { s.Away = true })
		var lost []string
		settings := engine.Settings{Clock: "auto", Live: &engine.Live{URL: server.URL, Lost: func(why string) { lost = append(lost, why) }}}
		got, result := perform(t, run, liveProgram(t, "200"), settings)
		if turns := strings.Count(got.stderr, "\n"); got.code != 0 || turns != 200 || result.Profile == nil || len(lost) != 1 {
			t.Errorf("code %d after %d turns; it was told %q", got.code, turns, lost)
		}
	})
}
