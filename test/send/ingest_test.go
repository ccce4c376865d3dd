// Package send tests that profiles of pages arrive: in real browsers, against
// an ingest of its own.
package send

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// envelope is what docs/sending.md describes.
type envelope struct {
	Version int
	Session string
	View    string
	Page    string
	Route   string
	Release string
	Labels  map[string]string
	Chunk   int
	Part    int
	Parts   int
	Started float64
	Origin  float64
	Notes   []string
	Rate    float64
	Browser string
	Device  struct{ Kind string }
	Slice   bool
	Weight  float64
	Counts  *struct {
		Interactions int
		Slow         map[string]int
		P75          float64
	}
	Trace struct {
		Fieldprof json.RawMessage
		Resources []string
		Frames    []struct{ Name string }
		Stacks    []struct {
			FrameID  int  `json:"frameId"`
			ParentID *int `json:"parentId"`
		}
		Samples []struct {
			StackID *int `json:"stackId"`
		}
	}
}

// names are the functions on the trace's stacks, with the number of samples that they are
// on top of.
func (e *envelope) names() map[string]int {
	count := map[string]int{}
	for _, s := range e.Trace.Samples {
		if s.StackID != nil {
			count[e.Trace.Frames[e.Trace.Stacks[*s.StackID].FrameID].Name]++
		}
	}
	return count
}

// mark is something named in a trace.
type mark struct {
	What, Name, Target string
	Time, Duration     float64
}

// marks returns the marks of the trace, or one without a name.
func (e *envelope) marks() []mark {
	var ours struct{ Marks []mark }
	if json.Unmarshal(e.Trace.Fieldprof, &ours) != nil || len(ours.Marks) == 0 {
		return []mark{{}}
	}
	return ours.Marks
}

// request is a request that was received.
type request struct {
	envelope
	bytes  int
	text   string // as it came, if the ingest keeps it
	header http.Header
}

// ingest takes envelopes at /profiles.
type ingest struct {
	t        *testing.T
	mu       sync.Mutex
	requests []request
	tries    int
	// keepsText is for tests that look at the text of envelopes.
	keepsText bool
	refuse    func(try int, w http.ResponseWriter) bool // answers itself
}

func (i *ingest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/profiles" || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			i.t.Error(err)
			return
		}
		body = unpacked
	}
	text, err := io.ReadAll(body)
	if err != nil {
		i.t.Log(err) // the page went
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.tries++
	if i.refuse != nil && i.refuse(i.tries, w) {
		return
	}
	got := request{bytes: len(text), header: r.Header}
	if i.keepsText {
		got.text = string(text)
	}
	if err := json.Unmarshal(text, &got.envelope); err != nil {
		i.t.Errorf("%v: %.200s", err, text)
	}
	i.requests = append(i.requests, got)
	w.WriteHeader(http.StatusOK)
}

func (i *ingest) all() []request {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.requests)
}

// wait waits for a matching request; the limit only ends hanging tests.
func (i *ingest) wait(t *testing.T, what string, fits func(*request) bool) *request {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		for _, r := range i.all() {
			if fits(&r) {
				return &r
			}
		}
	}
	t.Fatalf("%s did not come; %d requests did", what, len(i.all()))
	return nil
}

const program = `
function work() { var x = 0; for (var end = performance.now() + 5; performance.now() < end;) x += Math.sqrt(x + 1); return x }
var worked = 0;
function loop() { work(); worked++; setTimeout(loop, 5) }
loop();
`

const page = `<!doctype html>
<script src="runtime.js"></script>
<script src="program.js"></script>
<script type="module">
import { send } from './send.js';
window.notes = [];
window.begin = (options) => { window.sending = send({ url: '/profiles', onnote: (note) => notes.push(note), ...options }) };
window.ready = true;
</script>
`

// instrumented is a script with its function table.
func instrumented(t *testing.T, name, source string) fstest.MapFS {
	t.Helper()
	result := must.Get(transform.Transform([]byte(source), transform.Options{File: name, Goal: transform.Script, Selection: transform.Selection{Preset: transform.Precise}}))(t)
	return fstest.MapFS{
		name:                     {Data: result.Code},
		name + ".functions.json": {Data: must.Get(result.Table.Encode())(t)},
	}
}

func files(t *testing.T) fs.FS {
	t.Helper()
	site := fstest.MapFS{
		"index.html": {Data: []byte(page)},
		"other.html": {Data: []byte("<!doctype html><title>another page</title>")},
	}
	maps.Copy(site, instrumented(t, "program.js", program))
	for _, name := range []string{"runtime.js", "trace.js", "coordinator.js", "send.js"} {
		site[name] = &fstest.MapFile{Data: must.Get(fs.ReadFile(runtime.Files(), name))(t)}
	}
	return site
}

// visit opens the page, which starts to send with these options.
func visit(t *testing.T, b *browser.Browser, options string) (*browser.Page, *ingest, string) {
	t.Helper()
	to := &ingest{t: t}
	server := browser.Serve(t, browser.Site{Files: files(t), Handler: to})
	page := b.Open(server.URL + "/index.html")
	page.Wait("window.ready")
	page.Eval(fmt.Sprintf("void begin(%s)", options))
	return page, to, server.URL
}

// records waits until the page reads its samples, and has then worked that many more times:
// a page that goes before trace.js has come, as it may on a busy machine, has nothing to send.
func records(page *browser.Page, times int) {
	page.Wait("__fieldprof.tape.read")
	works(page, times)
}

// works waits until the page has worked that many more times, 5 ms each by its own clock:
// that is sampled however busy the machine is.
func works(page *browser.Page, times int) {
	page.Wait(fmt.Sprintf("(window.from ??= worked, worked - from >= %d)", times))
	page.Eval("delete window.from")
}

// quiet fails if anything is sent, or a profile runs, for a while.
func quiet(t *testing.T, page *browser.Page, to *ingest) {
	t.Helper()
	if got := string(page.Eval("new Promise((done) => setTimeout(() => done(sending.active), 1500))")); got != "false" {
		t.Error("a profile runs")
	}
	page.Eval("sending.flush()")
	if n := len(to.all()); n > 0 {
		t.Errorf("%d requests came", n)
	}
}
