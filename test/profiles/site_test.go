package profiles

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// instrument gives a directory of testdata as it is deployed.
func instrument(t *testing.T, name string, preset transform.Preset) fs.FS {
	t.Helper()
	return os.DirFS(browser.Instrument(t, builddir.Options{Input: filepath.Join("testdata", name), Selection: transform.Selection{Preset: preset}}))
}

// trace is what Profiler.stop gives.
type trace struct {
	Resources []string
	Frames    []struct {
		Name         string
		ResourceID   *int
		Line, Column int
	}
	Stacks []struct {
		ParentID *int
		FrameID  int
	}
	Samples []struct {
		Timestamp float64
		StackID   *int
		Weight    float64
		Kind      string
		Skid      float64
	}
	Fieldprof struct {
		Clock    string
		Interval float64
		Account  struct{ Raised, Missed, Taken, Idle, Program, Lost float64 }
		Lost     []string
	}
}

// session is one profile of a page, with the value of the expression that the page
// evaluates meanwhile.
type session struct {
	Trace trace
	Value json.RawMessage
	// Began and Ended bound the evaluation, by the page's clock.
	Began, Ended float64
}

// profile opens a page and profiles an expression, awaited, at 1 ms. The clock
// is poll, shared or auto; the work begins when the profiler had time to start
// its worker.
func profile(t *testing.T, b *browser.Browser, url, clock, expression string) session {
	t.Helper()
	page := b.Open(url)
	s := profilePage(t, page, clock, expression)
	page.Quiet()
	return s
}

func profilePage(t *testing.T, page *browser.Page, clock, expression string) session {
	t.Helper()
	value := page.Eval(fmt.Sprintf(`(async () => {
		fieldprof.install({ prefer: 'polyfill', base: 1, clock: %q });
		const polling = __fieldprof.tape.source;
		const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 1e6 });
		// A busy machine takes a while to start a worker.
		for (let i = 0; i < 100 && (i < 8 || globalThis.SharedArrayBuffer && __fieldprof.tape.source === polling); i++) {
			await new Promise((done) => setTimeout(done, 50));
		}
		const began = performance.now();
		const value = await (%s);
		const ended = performance.now();
		const trace = await profiler.stop();
		return { trace, value, began, ended };
	})()`, clock, expression))
	return must.JSON[session](t, value)
}

// none is what shares calls the samples without a stack.
const none = "(none)"

// shares gives how the time of the evaluation was spent: ticks by the name of
// the innermost function or, where names are given, of the innermost of those.
func (s *session) shares(names ...string) map[string]float64 {
	sum := map[string]float64{}
	for _, sample := range s.Trace.Samples {
		if sample.Timestamp >= s.Began && sample.Timestamp <= s.Ended {
			sum[s.owner(sample.StackID, names)] += sample.Weight
		}
	}
	return sum
}

func (s *session) owner(stack *int, names []string) string {
	for ; stack != nil; stack = s.Trace.Stacks[*stack].ParentID {
		name := s.Trace.Frames[s.Trace.Stacks[*stack].FrameID].Name
		if len(names) == 0 || slices.Contains(names, name) {
			return name
		}
	}
	return none
}

// captures counts the samples that checks took during the evaluation, by the
// innermost function: each once, however many ticks it stands for. On a busy
// machine most of a heavy sample is time that the page did not have.
func (s *session) captures() map[string]float64 {
	count := map[string]float64{}
	for _, sample := range s.Trace.Samples {
		if sample.Kind != "" && sample.StackID != nil && sample.Timestamp >= s.Began && sample.Timestamp <= s.Ended {
			count[s.owner(sample.StackID, nil)]++
		}
	}
	return count
}

// among gives the percentages of some functions among each other.
func among(shares map[string]float64, names ...string) map[string]float64 {
	total := 0.0
	for _, name := range names {
		total += shares[name]
	}
	part := map[string]float64{}
	for _, name := range names {
		part[name] = 100 * shares[name] / total
	}
	return part
}

// clockOf is the clock a browser must have used: a page that is not isolated, and any in
// WebKitGTK, can share no memory.
func clockOf(b *browser.Browser, isolated bool) string {
	if isolated && b.Name != "webkit" {
		return "shared"
	}
	return "poll"
}

// eachWay runs a test in every browser, on pages that are isolated and on others.
func eachWay(t *testing.T, files fs.FS, header http.Header, test func(t *testing.T, b *browser.Browser, url string, isolated bool)) {
	browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
		site := browser.Serve(t, browser.Site{Files: files, Isolated: isolated, Header: header})
		test(t, b, site.URL+"/index.html", isolated)
	})
}

// says reports whether one of the trace's losses speaks of something.
func (s *session) says(part string) bool {
	return slices.ContainsFunc(s.Trace.Fieldprof.Lost, func(lost string) bool { return strings.Contains(lost, part) })
}
