package browser

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Outcome is what a visitor of a page sees.
type Outcome struct {
	Result  string   // of what the visitor does, as JSON
	Console []string // sorted: workers speak when they can
	Errors  []string
}

// Outcome is a result with what the page has said so far.
func (p *Page) Outcome(result json.RawMessage) Outcome {
	p.t.Helper()
	said := p.Said()
	got := Outcome{Result: string(result), Errors: said.Errors}
	for _, message := range said.Console {
		got.Console = append(got.Console, message.Level+": "+message.Text)
	}
	slices.Sort(got.Console)
	return got
}

// Compare holds the result and the console to those of the original.
func (o Outcome) Compare(t *testing.T, what string, original Outcome) {
	t.Helper()
	if o.Result != original.Result {
		t.Errorf("%s: the result is %s\nand of the original %s", what, o.Result, original.Result)
	}
	if !slices.Equal(o.Console, original.Console) {
		t.Errorf("%s: the console shows %q\nand of the original %q", what, o.Console, original.Console)
	}
}

// Sightings collects what testdata/arm.js reports: the kinds of samples that each realm of
// each browser captured.
type Sightings struct {
	mu    sync.Mutex
	kinds map[string]string // browser and path of the realm → the kinds, in order
}

func (s *Sightings) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/seen" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil {
		s.kinds = map[string]string{}
	}
	realm := browserOf(r.UserAgent()) + " " + r.FormValue("realm")
	s.kinds[realm] = together(s.kinds[realm], r.FormValue("kind"))
	w.Write([]byte("seen")) // Chromium calls an answer without a body a failure
}

// Kinds are those of all realms that match a pattern, "BROWSER PATH".
func (s *Sightings) Kinds(pattern string) (kinds string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for realm, more := range s.kinds {
		if fits, _ := path.Match(pattern, realm); fits {
			kinds = together(kinds, more)
		}
	}
	return kinds
}

// together are the kinds in either text, each once and in order.
func together(a, b string) string {
	kinds := []byte(a + b)
	slices.Sort(kinds)
	return string(slices.Compact(kinds))
}

// browserOf is the browser that a request comes from: Chromium says that it is Safari, too.
func browserOf(agent string) string {
	switch {
	case strings.Contains(agent, "Chrome/"):
		return "chromium"
	case strings.Contains(agent, "Firefox/"):
		return "firefox"
	}
	return "webkit"
}
