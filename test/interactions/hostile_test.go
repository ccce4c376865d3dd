package interactions

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/interactions/site"
	"github.com/fieldprof/fieldprof/transform"
)

// Generated pages break their clock, their observers, the globals that their neighbours need, and
// do odd things with events: with observe() they say and do what they do without it, and its
// slices are bounded and valid. A seed is one combination; FIELDPROF_FULL has more of them.
func TestHostilePages(t *testing.T) {
	most := 16
	if os.Getenv("FIELDPROF_FULL") != "" {
		most = 400
	}
	var seeds []int
	for seed := 1; seed <= most; seed++ {
		seeds = append(seeds, seed)
	}
	if only, err := strconv.Atoi(os.Getenv("FIELDPROF_SEED")); err == nil {
		seeds = []int{only} // for looking at one
	}
	files := hostileFiles(t)
	serve := func() *browser.Server {
		return browser.Serve(t, browser.Site{Files: files, Handler: http.HandlerFunc(hostileCase)})
	}
	own, other := serve(), serve()
	// How many events are slow is a matter of the browser and of the machine: one may do without a slice that says what is unknown.
	var tried, unknown atomic.Int64
	t.Cleanup(func() {
		if tried.Load() > 1 && unknown.Load() == 0 {
			t.Errorf("no slice of %d cases says what is unknown", tried.Load())
		}
	})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := b.Open(own.URL + "/index.html")
		page.Wait("window.ready")
		origins := must.Get(json.Marshal([]string{own.URL, own.URL, other.URL}))(t)
		var all outcome
		for some := range slices.Chunk(seeds, 8) {
			page.Eval(fmt.Sprintf("begin(%s, %s)", origins, must.Get(json.Marshal(some))(t)))
			result := must.JSON[outcome](t, page.Wait("window.result"))
			for _, fault := range result.Found {
				t.Error(fault)
			}
			all.Cases, all.Slices, all.Unknown = all.Cases+result.Cases, all.Slices+result.Slices, all.Unknown+result.Unknown
		}
		tried.Add(int64(all.Cases))
		unknown.Add(int64(all.Unknown))
		if len(seeds) > 1 && (all.Cases != len(seeds) || all.Slices == 0) {
			t.Errorf("%d cases gave %d slices, of which %d say what is unknown", all.Cases, all.Slices, all.Unknown)
		}
	})
}

// outcome is what is wrong with some cases, and how many slices they gave.
type outcome struct {
	Found                  []string
	Cases, Slices, Unknown int
}

// hostileFiles are the scripts of the cases, with the runtime.
func hostileFiles(t *testing.T) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	folder := os.DirFS("testdata/hostile")
	for _, entry := range must.Get(fs.ReadDir(folder, "."))(t) {
		files[entry.Name()] = &fstest.MapFile{Data: must.Get(fs.ReadFile(folder, entry.Name()))(t)}
	}
	result := must.Get(transform.Transform(files["scenario.js"].Data, transform.Options{File: "scenario.js", Goal: transform.Script}))(t)
	files["scenario.js"] = &fstest.MapFile{Data: result.Code}
	files["scenario.js.functions.json"] = &fstest.MapFile{Data: must.Get(result.Table.Encode())(t)}
	files["valid.js"] = &fstest.MapFile{Data: site.Valid}
	for _, name := range []string{"runtime.js", "trace.js", "coordinator.js", "interactions.js"} {
		files[name] = &fstest.MapFile{Data: must.Get(fs.ReadFile(runtime.Files(), name))(t)}
	}
	return files
}

// hostileCase writes the page of a seed: half of them are broken before the runtime comes.
func hostileCase(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/case.html" {
		http.NotFound(w, r)
		return
	}
	scripts := []string{"record.js", "values.js", "breaks.js", "runtime.js", "scenario.js"}
	if seed, _ := strconv.Atoi(r.FormValue("seed")); seed%2 == 0 {
		scripts[2], scripts[3] = scripts[3], scripts[2]
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><body>`)
	for _, name := range scripts {
		fmt.Fprintf(w, `<script src="%s"></script>`, name)
	}
	fmt.Fprint(w, `<script src="drive.js" type="module"></script>`)
}
