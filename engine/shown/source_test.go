package shown

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/internal/livetest"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/live/client"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// sampled is a batch of a program that has been running for so many microseconds.
func sampled(at int64, stack int32) *live.Batch {
	return &live.Batch{Samples: live.Samples{Delta: []int64{at}, Stack: []int32{stack}, Weight: []int32{2}, Kind: []int8{1}, Skid: []int64{7}},
		Account: live.Account{Raised: at / 1000, Taken: at / 1000}}
}

// A profile that the panel starts in the middle of a run has all records and stacks that
// it needs, and times and accounts of its own.
func TestNextProfile(t *testing.T) {
	server := livetest.New(t)
	settings := engine.Settings{Live: &engine.Live{URL: server.URL, Lost: func(why string) { t.Error(why) }}}
	settings.Fill()
	script, err := instrumented.Make([]byte("function work() {\n for (;;) {}\n}"), transform.Options{File: "app.js"})
	if err != nil {
		t.Fatal(err)
	}
	s := New(live.Hello{What: "goja", Engine: "goja", Clocks: []string{}, Origin: 1e12}, engine.Program{Path: "src/app.js"}, &settings, script, nil)
	first := sampled(3000, 0)
	first.Records = []live.Record{{ID: 2, Name: "work", File: "app.js"}}
	first.Stacks = []int32{-1, 2, 2, 2} // without a source map, no line is known
	s.Add(first)
	server.Await("the first sample", func(s *livetest.Source) bool { return s.Recording.State().Samples == 1 })
	order := func(change func(*livetest.Server), then func() bool) {
		server.Change(change)
		for done := false; !done; {
			s.mu.Lock()
			done = then()
			s.mu.Unlock()
			time.Sleep(time.Millisecond)
		}
	}
	order(func(s *livetest.Server) { s.Stopped = true }, func() bool { return s.ending })
	s.Add(sampled(5000, 0)) // the last of profile 1
	s.Add(sampled(8000, 0)) // between the profiles
	order(func(s *livetest.Server) {
		s.Stopped, s.Wants = false, live.Start{Type: live.TypeStart, Profile: 7, Interval: 5}
	}, func() bool { return s.profile == 7 })
	s.Add(sampled(12000, 0))
	s.Close()
	server.Change(func(server *livetest.Server) {
		var told []string
		for _, b := range server.Sources[0].Batches {
			text := fmt.Sprint(b.Profile, " at ", b.Samples.Delta, " raised ", b.Account.Raised, " records ", len(b.Records), " stacks ", b.Stacks)
			if b.Began != nil {
				text += fmt.Sprint(" began ", b.Began.Time-1e12, " interval ", b.Began.Interval)
			}
			if b.Ended {
				text += " ended"
			}
			told = append(told, text)
		}
		want := []string{
			"1 at [3000] raised 3 records 1 stacks [-1 2 0 0] began 0 interval 1",
			"1 at [5000] raised 5 records 0 stacks []",
			"1 at [] raised 5 records 0 stacks [] ended",
			"7 at [4000] raised 4 records 1 stacks [-1 2 0 0] began 8 interval 1",
			"7 at [] raised 4 records 0 stacks [] ended",
		}
		if strings.Join(told, "\n") != strings.Join(want, "\n") {
			t.Errorf("the server is told\n%s\nnot\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
		}
	})
}

// Why there is no connection is one line, which neither shows the key nor does what a
// server writes.
func TestExplain(t *testing.T) {
	url := "http://localhost:8080/__fieldprof/?key=secret"
	for _, err := range []error{
		errors.New("connection refused"),
		&client.Gone{Err: errors.New("EOF")},
		x509.UnknownAuthorityError{},
		&client.Refusal{Why: "full\x1b[2J\n\nreally"},
	} {
		line := explain(url, err)
		if strings.ContainsAny(line, "\x1b\n") || strings.Contains(line, "secret") || !strings.Contains(line, "http://localhost:8080") {
			t.Errorf("%v: %q", err, line)
		}
	}
}
