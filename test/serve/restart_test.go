package serve

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

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

// nth is a batch with a function, a stack and a sample of its own.
func nth(at int64) *live.Batch {
	id := live.FirstID + int32(at)
	b := &live.Batch{
		Profile: 1, Records: []live.Record{{ID: id, Name: fmt.Sprint("f", at), File: "app.js", Line: 1 + int32(at)}}, Stacks: []int32{int32(at) - 1, id, 1, 1},
		Samples: live.Samples{Delta: []int64{at * 10_000}, Stack: []int32{int32(at)}, Weight: []int32{int32(ticksOf(at))}},
		Account: live.Account{Raised: at},
	}
	if at%500 == 0 { // a new tree, before this one is too deep
		b.Stacks[0] = -1
	}
	if at == 0 {
		b.Began = &live.Began{Time: 1.8e12, Interval: 10}
	}
	return b
}

func ticksOf(at int64) int64 { return 1 + at%5 }

// has waits until the server has so many ticks.
func (s *serving) has(ticks int64) {
	s.t.Helper()
	for deadline := time.Now().Add(hang); ; time.Sleep(10 * time.Millisecond) {
		status, body := s.get("__fieldprof/save?format=cpuprofile&token=" + s.token())
		got := int64(0)
		if status == http.StatusOK {
			got = read(s.t, body).Samples.Ticks()
		}
		if got == ticks {
			return
		}
		if got > ticks || time.Now().After(deadline) {
			s.t.Fatalf("%d ticks, want %d", got, ticks)
		}
	}
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
	send := func(batches int) {
		for range batches {
			source.Send(nth(at))
			sent += ticksOf(at)
			at++
		}
	}
	for range 5 {
		send(100)
		s.has(sent)
		send(100) // the kill comes while these are under way
		s.kill()
		s = start(t, home, "--port", s.port(), dist)
	}
	s.has(sent)
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
	list := s.watch(t).sources("the end of the program", func(list []live.Source) bool { return len(list) == 1 && list[0].State == "gone" })
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
		before := s.watch(t).sources("samples", recording(1))[0]
		s.kill()
		shown.Wait(`!document.querySelector(".connection.open")`)
		s = start(t, home, "--port", s.port(), dist)
		panel := s.watch(t)
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
		s.untilNamed("all functions", func(names map[string]bool) bool {
			return names["turn app.ts"] && names["render app.ts"] && names["smooth smooth.ts"]
		})
	})
}
