package hub

import (
	"context"
	"net/http"
	"time"

	"github.com/fieldprof/fieldprof/profile/live"
)

// listEvery is the time between two lists of sources.
const listEvery = 250 * time.Millisecond

// panel is a page that draws profiles.
type panel struct {
	*socket
	news    chan struct{}
	cursors map[*source]*cursor // of the sources that were in its list
	listed  time.Time           // when it got the list
}

// servePanel answers a panel.
func (h *Hub) servePanel(w http.ResponseWriter, r *http.Request) {
	h.serveSocket(w, r, maxFromPanel, func(ctx context.Context, socket *socket) error {
		message, err := h.firstMessage(ctx, socket)
		if err != nil {
			return err
		}
		watch, ok := message.(*live.Watch)
		switch {
		case !ok:
			return refuse("a panel says watch first")
		case !same(watch.Token, h.run.Panel):
			return refuse("this is from an earlier run of the server: reload the page")
		}
		p := &panel{socket: socket, news: make(chan struct{}, 1), cursors: map[*source]*cursor{}}
		if !h.admit(p) {
			return refuse("%d panels are open already", maxPanels)
		}
		defer h.dismiss(p)
		return socket.serve(ctx, p.news, h.obey, func(ctx context.Context) error { return h.show(ctx, p) })
	})
}

func (h *Hub) admit(p *panel) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.panels) >= maxPanels {
		return false
	}
	h.panels[p] = true
	wake(p.news)
	return true
}

func (h *Hub) dismiss(p *panel) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.panels, p)
}

// obey takes a message of a panel.
func (h *Hub) obey(data []byte) error {
	message, err := h.options.Limits.Decode(data)
	if err != nil {
		return refuse("%v", err)
	}
	switch m := message.(type) {
	case *live.Start:
		h.start(m)
	case *live.Stop:
		if m.Type == live.TypeClear {
			h.clear(m)
		} else {
			h.stop(m)
		}
	default:
		return refuse("a panel sends start, stop and clear")
	}
	return nil
}

// show sends a panel what it does not know yet, a batch of each source at a time, until
// it knows everything.
func (h *Hub) show(ctx context.Context, p *panel) error {
	for {
		sources := h.all()
		if err := h.list(ctx, p, sources); err != nil {
			return err
		}
		if err := p.forget(ctx, sources); err != nil {
			return err
		}
		more := false
		for _, s := range sources {
			sent, err := p.send(ctx, s)
			if err != nil {
				return err
			}
			more = more || sent
		}
		if !more {
			return nil
		}
	}
}

// list sends the list of sources, unless it has just been sent; then it comes later.
func (h *Hub) list(ctx context.Context, p *panel, sources []*source) error {
	if wait := listEvery - time.Since(p.listed); wait > 0 {
		time.AfterFunc(wait, func() { wake(p.news) })
		return nil
	}
	p.listed = time.Now()
	message := live.Sources{Type: live.TypeSources, Server: h.server, List: []live.Source{}}
	for _, s := range sources {
		message.List = append(message.List, s.state())
		if p.cursors[s] == nil {
			p.cursors[s] = &cursor{}
		}
	}
	return p.write(ctx, message)
}

// forget tells a panel which sources are gone.
func (p *panel) forget(ctx context.Context, sources []*source) error {
	var gone []string
	here := map[*source]bool{}
	for _, s := range sources {
		here[s] = true
	}
	for s := range p.cursors {
		if !here[s] {
			gone = append(gone, s.id)
			delete(p.cursors, s)
		}
	}
	if gone == nil {
		return nil
	}
	return p.write(ctx, live.Stop{Type: live.TypeClear, Sources: gone})
}

// send sends a panel the next batch of a source that it knows, if there is one.
func (p *panel) send(ctx context.Context, s *source) (sent bool, err error) {
	c := p.cursors[s]
	if c == nil {
		return false, nil
	}
	b, renewed := s.next(c)
	if renewed {
		if err := p.write(ctx, live.Stop{Type: live.TypeClear, Sources: []string{s.id}}); err != nil {
			return false, err
		}
	}
	if b == nil {
		return false, nil
	}
	return true, p.write(ctx, b)
}
