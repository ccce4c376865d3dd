package answer

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
)

// mostRecent is how many results are kept.
const mostRecent = 4

// recent keeps results of the latest questions for a moment: a page asks several things about one selection
// at once.
type recent struct {
	mu    sync.Mutex
	known map[string]*Result
}

// keyOfQuestion is equal for equal questions.
func keyOfQuestion(of store.Selection, o ProfileOptions, as size) string {
	key := fmt.Sprintf("%q %d %d %t %+v %t", of.App, of.From.UnixNano(), of.To.UnixNano(), of.Slow, o, as)
	for _, label := range slices.Sorted(maps.Keys(of.Where)) {
		key += fmt.Sprintf(" %q %q", label, of.Where[label])
	}
	return key
}

func (r *recent) get(key string) *Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[key]
}

func (r *recent) put(key string, result *Result, during time.Duration) {
	if during <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || len(r.known) >= mostRecent {
		r.known = map[string]*Result{}
	}
	r.known[key] = result
	time.AfterFunc(during, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.known[key] == result {
			delete(r.known, key)
		}
	})
}
