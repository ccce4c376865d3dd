package hub

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/live"
)

// A panel starts a source, sees its samples, stops it and saves them.
func TestProfile(t *testing.T) {
	s := serve(t, Options{})
	source, welcome := s.join(t, s.hello("app"))
	if welcome.Profile != 0 || welcome.Acked != 0 || welcome.Server == "" {
		t.Errorf("%+v", welcome)
	}
	panel := s.watch(t)
	panel.see("app", "connected")
	panel.send(live.Start{Type: live.TypeStart, Interval: 2, Clock: "poll"})
	start := next[*live.Start](source)
	if start.Profile != 1 || start.Interval != 2 || start.Clock != "poll" {
		t.Errorf("%+v", start)
	}
	panel.see("app", "recording")
	for seq := int64(1); seq <= 3; seq++ {
		b := batch(1, seq, 1, int32(seq))
		b.Began = &live.Began{Time: 1e12, Interval: 2, Clock: "poll"}
		source.send(b)
	}
	until(source, func(a *live.Ack) bool { return a.Seq == 3 })
	if got := panel.ticks("app", 6); got != 6 {
		t.Errorf("the panel has %d ticks", got)
	}
	panel.send(live.Stop{Type: live.TypeStop})
	next[*live.Stop](source)
	last := batch(1, 4, 1, 4)
	last.Ended = true
	source.send(last)
	if b := until(panel, func(b *live.Batch) bool { return b.Ended }); len(b.Samples.Weight) != 1 || b.Samples.Weight[0] != 4 {
		t.Errorf("%+v", b)
	}
	if state := panel.see("app", "connected"); state.Samples != 4 || state.Began != 1e12 || state.Clock != "poll" {
		t.Errorf("%+v", state)
	}
	for _, name := range Formats() {
		if status, body := s.get(t, "save?format="+name+"&token="+s.PanelToken()); status != 200 || body == "" {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	_, body := s.get(t, "save?format=cpuprofile&token="+s.PanelToken())
	p, _, err := format.Read(strings.NewReader(body), "x.cpuprofile")
	if err != nil || p.Samples.Ticks() != 10 || p.Meta.Interval.Milliseconds() != 2 {
		t.Errorf("%v: %d ticks", err, p.Samples.Ticks())
	}
}

// Sources are kept apart and can be merged.
func TestSourcesApart(t *testing.T) {
	s := serve(t, Options{})
	panel := s.watch(t)
	panel.send(live.Start{Type: live.TypeStart, Interval: 10})
	until(panel, func(*live.Sources) bool { return s.startingNow() != nil })
	for i, name := range []string{"one", "two", "three"} {
		source, welcome := s.join(t, s.hello(name))
		if welcome.Profile != 1 || welcome.Interval != 10 {
			t.Fatalf("%s was not started: %+v", name, welcome)
		}
		source.send(batch(1, 1, 1, int32(1)<<i))
		until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	}
	for query, want := range map[string]int64{"": 7, "&source=" + id("one"): 1, "&source=" + id("one") + "&source=" + id("three"): 5} {
		_, body := s.get(t, "save?format=cpuprofile&token="+s.PanelToken()+query)
		p, _, err := format.Read(strings.NewReader(body), "x.cpuprofile")
		if err != nil || p.Samples.Ticks() != want {
			t.Errorf("%q: %v, want %d ticks: %s", query, err, want, body)
		}
	}
	if status, _ := s.get(t, "save?format=cpuprofile&source="+id("none")+"&token="+s.PanelToken()); status != http.StatusConflict {
		t.Errorf("a source that is not there: %d", status)
	}
}

// A batch that is sent twice counts once, and a source that reconnects continues its profile.
func TestReconnect(t *testing.T) {
	s := serve(t, Options{})
	panel := s.watch(t)
	source, _ := s.join(t, s.hello("app"))
	panel.see("app", "connected")
	panel.send(live.Start{Type: live.TypeStart, Interval: 10})
	next[*live.Start](source)
	source.send(batch(1, 1, 1, 1))
	source.send(batch(1, 2, 1, 2))
	until(source, func(a *live.Ack) bool { return a.Seq == 2 })
	source.conn.CloseNow()
	if state := panel.see("app", "lost"); state.Why != "connection lost" {
		t.Errorf("%q", state.Why)
	}
	hello := s.hello("app")
	hello.Recording, hello.Interval, hello.Acked = 1, 10, 1 // the second ack was lost
	source, welcome := s.join(t, hello)
	if welcome.Profile != 1 || welcome.Acked != 2 {
		t.Errorf("%+v", welcome)
	}
	source.send(batch(1, 2, 1, 2))
	source.send(batch(1, 3, 1, 4))
	until(source, func(a *live.Ack) bool { return a.Seq == 3 })
	if got := s.watch(t).ticks("app", 7); got != 7 {
		t.Errorf("%d ticks", got)
	}
	// One whose connection is half-open takes it over.
	hello.Acked = 3
	other, welcome := s.join(t, hello)
	if welcome.Acked != 3 {
		t.Errorf("%+v", welcome)
	}
	if _, err := source.receive(); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("the old connection: %v", err)
	}
	other.conn.Close(websocket.StatusNormalClosure, "left")
	if state := panel.see("app", "gone"); state.Why != "left" {
		t.Errorf("%q", state.Why)
	}
}

// A page that is reloaded goes on, and the one before is gone.
func TestReload(t *testing.T) {
	s := serve(t, Options{})
	panel := s.watch(t)
	source, _ := s.join(t, s.hello("app"))
	panel.see("app", "connected")
	panel.send(live.Start{Type: live.TypeStart, Interval: 5, Sources: []string{id("app")}})
	next[*live.Start](source)
	source.send(batch(1, 1, 1, 1))
	until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	again := s.hello("again")
	again.After, again.Recording, again.Interval = id("app"), 1, 5
	reloaded, welcome := s.join(t, again)
	if welcome.Profile != 1 || welcome.Interval != 5 {
		t.Errorf("%+v", welcome)
	}
	if state := panel.see("app", "gone"); state.Why != "reloaded" || state.Samples != 1 {
		t.Errorf("%+v", state)
	}
	if state := panel.see("again", "recording"); state.After != id("app") || state.Interval != 5 {
		t.Errorf("%+v", state)
	}
	reloaded.send(batch(1, 1, 1, 3))
	until(reloaded, func(a *live.Ack) bool { return a.Seq == 1 })
	if got := panel.ticks("again", 3); got != 3 {
		t.Errorf("%d ticks", got)
	}
	// Stopped meanwhile, it does not go on.
	panel.send(live.Stop{Type: live.TypeStop})
	next[*live.Stop](reloaded)
	third := s.hello("third")
	third.After, third.Recording, third.Interval = id("again"), 1, 5
	if _, welcome := s.join(t, third); welcome.Profile != 0 {
		t.Errorf("%+v", welcome)
	}
}

// A program that is started to be recorded goes on with its own profile.
func TestSourceBegins(t *testing.T) {
	s := serve(t, Options{})
	panel := s.watch(t)
	hello := s.hello("app")
	hello.What, hello.Recording, hello.Interval = "goja", 1, 3
	source, welcome := s.join(t, hello)
	if welcome.Profile != 1 {
		t.Errorf("%+v", welcome)
	}
	source.send(batch(1, 1, 1, 1))
	until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	if state := panel.see("app", "recording"); state.Interval != 3 {
		t.Errorf("%+v", state)
	}
	// A button in a page starts and stops its source alone.
	other, _ := s.join(t, s.hello("other"))
	source.send(live.Stop{Type: live.TypeStop})
	next[*live.Stop](source)
	source.send(live.Start{Type: live.TypeStart, Interval: 7})
	if start := next[*live.Start](source); start.Profile != 2 || start.Interval != 7 {
		t.Errorf("%+v", start)
	}
	panel.see("other", "connected")
	other.conn.CloseNow()
	source.conn.Close(websocket.StatusNormalClosure, "")
	if state := panel.see("app", "gone"); state.Why != "ended" {
		t.Errorf("%+v", state)
	}
}

// A program that ended before the server was there still has its profile shown.
func TestSourceEndedBefore(t *testing.T) {
	s := serve(t, Options{})
	source, _ := s.join(t, s.hello("ended"))
	last := batch(1, 1, 1, 3)
	last.Ended, last.Began = true, &live.Began{Time: 1e12, Interval: 4}
	source.send(last)
	until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	if state := s.watch(t).see("ended", "connected"); state.Interval != 4 || state.Samples != 1 {
		t.Errorf("%+v", state)
	}
	// One that was recording when the connection was lost has ended meanwhile.
	hello := s.hello("later")
	hello.Recording, hello.Interval = 1, 10
	source, _ = s.join(t, hello)
	source.send(batch(1, 1, 1, 1))
	until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	source.conn.CloseNow()
	s.watch(t).see("later", "lost")
	hello.Recording, hello.Interval, hello.Acked = 0, 0, 1
	source, welcome := s.join(t, hello)
	if welcome.Profile != 0 {
		t.Errorf("it is to record again: %+v", welcome)
	}
	last = batch(1, 2, 1, 1)
	last.Ended = true
	source.send(last)
	until(source, func(a *live.Ack) bool { return a.Seq == 2 })
	if got := s.watch(t).ticks("later", 2); got != 2 {
		t.Errorf("%d ticks", got)
	}
}

// A source that knows more than the server has goes on with another profile.
func TestServerForgot(t *testing.T) {
	s := serve(t, Options{})
	hello := s.hello("app")
	hello.Recording, hello.Acked, hello.Interval = 4, 17, 10
	source, welcome := s.join(t, hello)
	if welcome.Profile != 5 || welcome.Acked != 17 {
		t.Fatalf("%+v", welcome)
	}
	source.send(batch(4, 18, 1, 1)) // of the profile that the server does not have
	source.send(batch(5, 19, 19, 2))
	until(source, func(a *live.Ack) bool { return a.Seq == 19 })
	if got := s.watch(t).ticks("app", 2); got != 2 {
		t.Errorf("%d ticks", got)
	}
}

// Clearing begins again where something runs, empties what does not, and forgets the rest.
func TestClear(t *testing.T) {
	s := serve(t, Options{})
	panel := s.watch(t)
	clients := map[string]*client{}
	for _, name := range []string{"running", "stopped", "left"} {
		clients[name], _ = s.join(t, s.hello(name))
	}
	panel.see("left", "connected")
	panel.send(live.Start{Type: live.TypeStart, Interval: 10})
	for _, c := range clients {
		next[*live.Start](c)
		c.send(batch(1, 1, 1, 1))
		until(c, func(a *live.Ack) bool { return a.Seq == 1 })
	}
	panel.send(live.Stop{Type: live.TypeStop, Sources: []string{id("stopped")}})
	next[*live.Stop](clients["stopped"])
	clients["left"].conn.Close(websocket.StatusNormalClosure, "left")
	panel.see("left", "gone")
	panel.send(live.Stop{Type: live.TypeClear})
	if start := next[*live.Start](clients["running"]); start.Profile != 2 {
		t.Errorf("%+v", start)
	}
	cleared := map[string]bool{}
	for len(cleared) < 3 {
		for _, source := range until(panel, func(s *live.Stop) bool { return s.Type == live.TypeClear }).Sources {
			cleared[source] = true
		}
	}
	list := until(panel, func(s *live.Sources) bool { return len(s.List) == 2 })
	for _, source := range list.List {
		if source.Samples != 0 {
			t.Errorf("%+v", source)
		}
	}
	clients["running"].send(batch(1, 2, 1, 1)) // on its way when it was cleared
	clients["running"].send(batch(2, 3, 3, 8))
	until(clients["running"], func(a *live.Ack) bool { return a.Seq == 3 })
	if got := panel.ticks("running", 8); got != 8 {
		t.Errorf("%d ticks", got)
	}
}

// At the end all clients are told, and the samples that sources have left are taken.
func TestClose(t *testing.T) {
	folder := t.TempDir() + "/kept"
	s := serve(t, Options{Journal: folder, Keep: true})
	panel := s.watch(t)
	source, _ := s.join(t, s.hello("app"))
	panel.see("app", "connected")
	panel.send(live.Start{Type: live.TypeStart, Interval: 10})
	next[*live.Start](source)
	done := make(chan error)
	go func() { done <- s.Close() }()
	next[*live.Stop](source)
	last := batch(1, 1, 1, 5)
	last.Ended = true
	source.send(last)
	for _, c := range []*client{source, panel} {
		for {
			if _, err := c.receive(); err != nil {
				if websocket.CloseStatus(err) != websocket.StatusGoingAway {
					t.Error(err)
				}
				break
			}
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	again := serve(t, Options{Journal: folder})
	if again.SourceToken() == s.SourceToken() || again.PanelToken() == s.PanelToken() {
		t.Error("the tokens are those of the run before")
	}
	panel = again.watch(t)
	if state := panel.see("app", "gone"); state.Why != "of an earlier run" || state.Samples != 1 {
		t.Errorf("%+v", state)
	}
	if got := panel.ticks("app", 5); got != 5 {
		t.Errorf("%d ticks", got)
	}
	hello := again.hello("app")
	hello.Token = s.SourceToken()
	stale := dial(t, again, "source", nil)
	stale.send(hello)
	if why := stale.refused(); !strings.Contains(why, "earlier run") {
		t.Error(why)
	}
}

// An empty list means no source, as where none is chosen.
func TestEmptyListNamesNobody(t *testing.T) {
	s := serve(t, Options{})
	panel := s.watch(t)
	source, _ := s.join(t, s.hello("app"))
	panel.see("app", "connected")
	panel.send(live.Start{Type: live.TypeStart, Interval: 10, Sources: []string{id("app")}})
	next[*live.Start](source)
	source.send(batch(1, 1, 1, 1))
	until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	for _, order := range []string{`{"type":"start","interval":5,"sources":[]}`, `{"type":"clear","sources":[]}`, `{"type":"stop","sources":[]}`} {
		panel.send([]byte(order))
	}
	panel.send(live.Stop{Type: live.TypeStop, Sources: []string{id("app")}}) // after the others
	next[*live.Stop](source)
	if state := panel.see("app", "connected"); state.Profile != 1 || state.Samples != 1 || state.Interval != 10 {
		t.Errorf("%+v", state)
	}
	if starting := s.startingNow(); starting != nil {
		t.Errorf("pages to come record: %+v", starting)
	}
}
