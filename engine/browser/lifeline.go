package browser

import (
	"sync"
	"time"
)

// absence is how long a page may be silent before it counts as gone: one that is loaded again, or
// whose requests the program has stopped, is heard of in that time.
const absence = 10 * time.Second

// lifeline tells that a page has gone. A browser outlives its pages, whose process may have
// crashed, or which the program may have left. A page that lives has a request open, which is
// answered when the program is to stop.
type lifeline struct {
	mu     sync.Mutex
	open   int         // requests
	silent *time.Timer // nil while there are some
	isLost bool
	lost   chan struct{} // closed when the page has gone
}

// hold counts a request, until the function that it returns is called.
func (l *lifeline) hold() (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open++
	l.count()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.open--
		l.count()
	}
}

// count begins to wait if nothing is open.
func (l *lifeline) count() {
	if l.silent != nil {
		l.silent.Stop()
		l.silent = nil
	}
	if l.open > 0 || l.isLost {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(absence, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.silent == timer {
			l.isLost = true
			close(l.lost)
		}
	})
	l.silent = timer
}
