package hub

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
)

// Prefix is where the hub's addresses begin.
const Prefix = "/__fieldprof/"

// Bounds of how many there are.
const (
	maxSources = 256 // connected, and as many that are not, with samples and without
	maxKept    = 512 // not connected, with samples that are to be kept
	maxPanels  = 32
	maxSockets = maxSources + maxPanels + 32 // some have not said yet what they are
)

// Code is what is known of the programs that are profiled: a deployed script by its URL and
// the build that it is of, and the text of an original source by its name.
type Code interface {
	Script(build, url string) (profile.Script, bool)
	// Has reports whether a build is known.
	Has(build string) bool
	Text(file string) (string, bool)
}

// Options say what a hub shows, and where it keeps its journal.
type Options struct {
	// Page writes the panel's page, which holds the token.
	Page func(w io.Writer, token string) error
	// Before is an attributed profile to compare with, nil for none.
	Before *profile.Profile
	// Journal is a folder for this run, which New makes if it is missing and continues if
	// the server that wrote it did not end cleanly. Keep leaves it there at the end.
	Journal string
	Keep    bool
	// MaxJournal bounds its bytes; 0 is 256 MB.
	MaxJournal int64
	// Interval is the interval of a profile for which none was chosen, in milliseconds.
	Interval float64
	Limits   live.Limits
	// Log takes a line for the operator; nil takes none.
	Log func(string)

	timing timing
}

// Hub connects sources and panels. It is an http.Handler for everything below Prefix
// except the scripts that pages load.
type Hub struct {
	options Options
	code    Code
	mux     *http.ServeMux
	journal *journal
	server  string // changes with every start
	context context.Context
	cancel  context.CancelCauseFunc
	running sync.WaitGroup // sockets
	fitting sync.Mutex
	known   atomic.Int64 // sources

	mu       sync.Mutex
	run      run
	sources  []*source // in the order in which they came
	panels   map[*panel]bool
	starting *live.Start // for sources that come later; nil for none
	sockets  int
	ending   bool
}

// New opens a hub. Restore must be called before it serves.
func New(o Options) (*Hub, error) {
	if o.MaxJournal == 0 {
		o.MaxJournal = 256 << 20
	}
	if o.timing == (timing{}) {
		o.timing = defaultTiming
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	if o.Interval == 0 {
		o.Interval = 10
	}
	h := &Hub{options: o, server: newToken(), panels: map[*panel]bool{}}
	h.context, h.cancel = context.WithCancelCause(context.Background())
	var err error
	if h.journal, err = openJournal(o.Journal, o.MaxJournal); err != nil {
		return nil, err
	}
	if h.run, err = h.journal.begin(); err != nil {
		h.journal.close()
		return nil, fmt.Errorf("the journal: %w", err)
	}
	h.starting = h.run.Starting
	h.mux = h.routes()
	return h, nil
}

// Restore makes sources of what the journal holds.
func (h *Hub) Restore(code Code) {
	h.code = code
	h.restore()
}

// SourceToken is what pages of the site show when they connect, and PanelToken is what
// panels show. They differ, so that a page of the site cannot look at others.
func (h *Hub) SourceToken() string { return h.run.Source }

// PanelToken is the key of the panel.
func (h *Hub) PanelToken() string { return h.run.Panel }

// all returns the sources.
func (h *Hub) all() []*source {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.sources)
}

// named returns the sources with these IDs, all if ids is nil. An empty list names none.
func (h *Hub) named(ids []string) []*source {
	all := h.all()
	if ids == nil {
		return all
	}
	return slices.DeleteFunc(all, func(s *source) bool { return !slices.Contains(ids, s.id) })
}

// share is how many samples a source may hold.
func (h *Hub) share() int {
	return min(maxSamples, max(minSamples, maxHeld/max(1, int(h.known.Load()))))
}

// changed wakes the panels.
func (h *Hub) changed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.panels {
		wake(p.news)
	}
}

// wake leaves a message that there is something to do, unless there is one.
func wake(news chan struct{}) {
	select {
	case news <- struct{}{}:
	default:
	}
}

// start starts sources that are connected, and if the order is for all those that come later.
// Those that are recording in this way already go on.
func (h *Hub) start(order *live.Start) {
	if order.Sources == nil {
		h.setStarting(order)
	}
	for _, s := range h.named(order.Sources) {
		s.start(order)
	}
	h.changed()
}

// stop stops sources.
func (h *Hub) stop(order *live.Stop) {
	if order.Sources == nil {
		h.setStarting(nil)
	}
	for _, s := range h.named(order.Sources) {
		s.stop()
	}
	h.changed()
}

func (h *Hub) startingNow() *live.Start {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.starting
}

func (h *Hub) setStarting(order *live.Start) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.starting, h.run.Starting = order, order
	if err := h.journal.write(h.run); err != nil {
		h.options.Log(fmt.Sprintf("the journal cannot be written: %v", err))
	}
}

// clear forgets what sources have sampled; those that are not connected are forgotten
// altogether.
func (h *Hub) clear(order *live.Stop) {
	for _, s := range h.named(order.Sources) {
		if !s.clear() {
			h.forget(s)
		}
	}
	h.changed()
}

// forget removes a source.
func (h *Hub) forget(s *source) {
	h.mu.Lock()
	h.sources = slices.DeleteFunc(h.sources, func(other *source) bool { return other == s })
	h.known.Store(int64(len(h.sources)))
	h.mu.Unlock()
	s.book.remove()
}

// Close ends a run: it stops the sources, takes what they have left, and tells all clients.
func (h *Hub) Close() error {
	h.mu.Lock()
	h.ending = true
	h.mu.Unlock()
	h.drain()
	h.cancel(errEnding)
	h.running.Wait()
	return h.journal.end(h.options.Keep)
}

// drain asks sources that record to stop, and waits a moment for what they have left.
func (h *Hub) drain() {
	h.stop(&live.Stop{})
	deadline := time.After(h.options.timing.drain)
	for slices.ContainsFunc(h.all(), (*source).unfinished) {
		select {
		case <-deadline:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}
