package serve

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/live/client"
	"github.com/fieldprof/fieldprof/test/browser"
)

// kill ends the server as a crash does.
func (s *serving) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	s.wait()
}

// However often a server is killed, no tick that a source had is lost or counted twice.
func TestKilledServer(t *testing.T) {
	home, dist := t.TempDir(), built(t)
	s := start(t, home, dist)
	var began atomic.Int64
	source := client.Dial(client.Options{
		URL:   s.Site,
		Hello: live.Hello{ID: "0123456789abcdef0123456789abcdef", What: "goja", Name: "app.js", Engine: "goja", Clocks: []string{}, Origin: 1.8e12, Recording: 1, Interval: 10},
		Start: func(order live.Start) { began.Store(int64(order.Profile)) },
		Stop:  func() { t.Error("it was told to stop") },
		Lost:  func(err error) { t.Log(err) },
	})
	sent, at := int64(0), int64(0)
	for range 5 {
		for range 200 {
			id := live.FirstID + int32(at)
			b := &live.Batch{
				Profile: 1, Records: []live.Record{{ID: id, Name: fmt.Sprint("f", at), File: "app.js", Line: 1 + int32(at)}}, Stacks: []int32{int32(at) - 1, id, 1, 1},
				Samples: live.Samples{Delta: []int64{at * 10_000}, Stack: []int32{int32(at)}, Weight: []int32{1 + int32(at)%5}},
			}
			if at%500 == 0 { // a new tree, before it is too deep
				b.Stacks[0] = -1
			}
			if at == 0 {
				b.Began = &live.Began{Time: 1.8e12, Interval: 10}
			}
			sent += 1 + at%5
			at++
			source.Send(b)
		}
		s.kill()
		s = start(t, home, "--port", s.port(), dist)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	source.Close(ctx)
	if ctx.Err() != nil {
		t.Fatal("the server does not get everything")
	}
	if n := began.Load(); n != 1 {
		t.Errorf("the profile is number %d: the server forgot", n)
	}
	if got := s.saved().Samples.Ticks(); got != sent {
		t.Errorf("%d ticks, want %d", got, sent)
	}
	list := s.watch().sources("the end of the program", func(list []live.Source) bool { return len(list) == 1 && list[0].State == "gone" })
	if list[0].Why != "ended" || list[0].Samples != at || list[0].Dropped != (live.Dropped{}) {
		t.Errorf("%+v", list[0])
	}
}

// A page and a panel that are open come back to a server that is started again, with
// everything, and the panel says what happened. So does a reloaded page.
func TestPageComesBack(t *testing.T) {
	dist := built(t)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		home := t.TempDir()
		s := start(t, home, dist)
		page, shown := b.Open(s.Site), b.Open(s.Panel)
		shown.Wait(`document.querySelector(".sources li")`)
		shown.Eval(`document.querySelector("button.start").click()`)
		before := s.watch().sources("samples", recording(1))[0]
		s.kill()
		shown.Wait(`!document.querySelector(".connection.open")`)
		s = start(t, home, "--port", s.port(), dist)
		panel := s.watch()
		after := panel.sources("the page", func(list []live.Source) bool {
			return recording(1)(list) && list[0].Samples > before.Samples
		})[0]
		if after.ID != before.ID || after.Profile != before.Profile || after.Began != before.Began || after.Dropped != (live.Dropped{}) {
			t.Errorf("%+v, before %+v", after, before)
		}
		shown.Wait(`document.querySelector(".connection.open")`)
		shown.Wait(`document.body.textContent.includes("server was started again")`)

		page.Eval(`location.reload()`)
		list := panel.sources("the reloaded page", func(list []live.Source) bool {
			return len(list) == 2 && list[0].State == "gone" && recording(1)(list[1:])
		})
		if list[0].Why != "reloaded" || list[1].After != list[0].ID || list[0].Samples < after.Samples {
			t.Errorf("%+v", list)
		}
		if want := []string{"turn app.ts", "render app.ts", "smooth smooth.ts"}; !hasAll(names(s.saved()), want) {
			t.Errorf("functions %v", names(s.saved()))
		}
	})
}

func hasAll(set map[string]bool, names []string) bool {
	for _, name := range names {
		if !set[name] {
			return false
		}
	}
	return true
}
