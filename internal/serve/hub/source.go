package hub

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
)

// source is a program that is or was connected.
type source struct {
	hub  *Hub
	id   string
	book *book // of the journal

	connected atomic.Bool  // link is not nil
	held      atomic.Int64 // samples
	sampled   atomic.Bool  // its profile has samples, here or in the book

	mu      sync.Mutex
	hello   live.Hello
	link    *link  // nil if it is not connected
	gone    bool   // it will hardly come back
	why     string // for people: why it is gone, or not connected
	acked   int64  // the last batch that is kept, or was ignored
	number  int    // of the last profile
	wanted  bool   // it is to record
	stopped bool   // because a panel wanted that
	forgot  bool   // that its batches continue something that is not here
	order   live.Start
	began   live.Began

	recording *live.Recording // as the source sent it; nil before its first profile
	stream    *live.Stream
	history   *history
	scripts   map[string]profile.Script
}

func (h *Hub) newSource(hello *live.Hello) *source {
	s := &source{hub: h, id: hello.ID, history: &history{}, scripts: map[string]profile.Script{}}
	s.introduce(hello)
	s.book = h.journal.book(s.id)
	return s
}

// introduce keeps what a source says about itself, without its token.
func (s *source) introduce(hello *live.Hello) {
	s.hello = *hello
	s.hello.Token = ""
	s.hello.Clocks = slices.DeleteFunc(slices.Clone(hello.Clocks), func(clock string) bool { return clock != "shared" && clock != "poll" })
	s.hello.Clocks = s.hello.Clocks[:min(len(s.hello.Clocks), 2)]
}

// script finds a script. A realm goes on with the text that it has loaded, so the script found
// first stays, even if the site is built again, and its build must be known.
func (s *source) script(url string) (profile.Script, bool) {
	if script, ok := s.scripts[url]; ok {
		return script, true
	}
	script, ok := s.hub.code.Script(s.hello.Build, url)
	if ok {
		s.scripts[url] = script
	}
	return script, ok
}

// begin forgets the last profile and begins another.
func (s *source) begin(number int, interval float64, clock string) {
	s.order = live.Start{Type: live.TypeStart, Profile: number, Interval: interval, Clock: clock}
	s.number, s.wanted, s.stopped, s.forgot, s.began = number, true, false, false, live.Began{}
	s.reset()
	s.noteUnwritten(s.book.begin(&s.hello, &s.order))
}

// noteUnwritten notes why the journal cannot be written, once for each profile.
func (s *source) noteUnwritten(err error) {
	if err != nil {
		s.history.note("The journal cannot be written: what follows is lost if the server ends. " + err.Error())
	}
}

// reset makes room for a profile's samples.
func (s *source) reset() {
	s.recording = live.NewRecording(&s.hello, &s.order)
	s.recording.Limits = s.hub.options.Limits
	s.stream = live.NewStream(s.hello.Attributed, s.script)
	s.history = &history{profile: s.number}
	if !s.hub.code.Has(s.hello.Build) {
		s.history.note("The site was built again since this was loaded: functions have the names and places of the deployed code. Reload it.")
	}
	s.held.Store(0)
	s.sampled.Store(false)
}

// unload forgets the samples, to bound memory.
func (s *source) unload() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recording, s.stream, s.history = nil, nil, &history{}
	s.history.note("Forgotten to bound memory.")
	s.held.Store(0)
}

// start begins a profile, unless one is running in the same way.
func (s *source) start(order *live.Start) {
	s.mu.Lock()
	defer s.mu.Unlock()
	interval := cmp.Or(order.Interval, s.hub.options.Interval)
	if s.link == nil || s.wanted && interval == s.order.Interval && order.Clock == s.order.Clock {
		return
	}
	s.begin(s.number+1, interval, order.Clock)
	wake(s.link.news)
}

func (s *source) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted {
		s.wanted = false
		s.noteUnwritten(s.book.write(live.Stop{Type: live.TypeStop}))
	}
	s.stopped = true
	if s.link != nil {
		wake(s.link.news)
	}
}

// unfinished reports whether a source that was recording has not sent its last batch.
func (s *source) unfinished() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link != nil && s.link.began == s.number && s.recording != nil && !s.history.ended
}

// clear forgets the samples, and reports whether there is still a source.
func (s *source) clear() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.link == nil:
		return false
	case s.wanted:
		s.begin(s.number+1, s.order.Interval, s.order.Clock)
		wake(s.link.news)
	default:
		s.recording, s.stream, s.history = nil, nil, &history{}
		s.held.Store(0)
		s.sampled.Store(false)
		s.noteUnwritten(s.book.begin(&s.hello, nil))
		s.noteUnwritten(s.book.write(live.Ack{Type: live.TypeAck, Seq: s.acked}))
	}
	return true
}

// add keeps a batch, in the journal first. An error means that the source broke the protocol.
func (s *source) add(data []byte, b *live.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case b.Seq <= s.acked: // sent again
		return nil
	case b.Seq != s.acked+1:
		return fmt.Errorf("batch %d comes after batch %d", b.Seq, s.acked)
	case b.Profile > s.number && !s.wanted && !s.forgot: // it began and ended before it was connected
		s.begin(b.Profile, s.hub.options.Interval, "")
		s.wanted = false
	case b.Profile != s.number || s.recording == nil:
		s.acked = b.Seq
		s.noteUnwritten(s.book.write(live.Ack{Type: live.TypeAck, Seq: b.Seq}))
		return nil
	}
	if err := s.take(b); err != nil {
		return err
	}
	s.noteUnwritten(s.book.append(data))
	return nil
}

// take adds a batch to what is in memory.
func (s *source) take(b *live.Batch) error {
	most := s.hub.share()
	s.recording.Limits.Samples = most
	if err := s.recording.Add(b); err != nil {
		return err
	}
	s.acked = b.Seq
	if b.Began != nil {
		s.began = *b.Began
	}
	s.history.add(s.stream.Batch(b), most)
	s.held.Store(int64(len(s.history.time)))
	if s.history.count() > 0 {
		s.sampled.Store(true)
	}
	if b.Ended {
		s.wanted = false
	}
	return nil
}

// next returns what a panel with this cursor gets next; renewed says that the samples it
// had before are forgotten.
func (s *source) next(c *cursor) (b *live.Batch, renewed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.of != s.history {
		renewed = c.of != nil && c.hasSome()
		*c = cursor{of: s.history, seq: c.seq}
	}
	return s.history.next(c, s.id), renewed
}

// profile is everything that is kept, nil if there is nothing.
func (s *source) profile() *profile.Profile {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording == nil {
		return nil
	}
	return s.recording.Profile(s.script)
}

// state describes the source to panels.
func (s *source) state() live.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &s.hello
	state := live.Source{
		ID: s.id, After: h.After, What: h.What, Name: h.Name, URL: h.URL, Engine: h.Engine, Clocks: h.Clocks, Why: s.why,
		Profile: s.number, Began: s.began.Time, Interval: cmp.Or(s.began.Interval, s.order.Interval), Clock: cmp.Or(s.began.Clock, s.order.Clock),
		Samples: s.history.count(), Account: s.history.account, Dropped: s.history.dropped, Notes: slices.Clone(s.history.notes),
	}
	switch {
	case s.link != nil && s.wanted:
		state.State = "recording"
	case s.link != nil:
		state.State = "connected"
	case s.gone:
		state.State = "gone"
	default:
		state.State = "lost"
	}
	return state
}
