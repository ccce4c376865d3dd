package ingest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// TestRequests takes in what the SDKs of test/sdk sent in browsers (testdata/requests/README.md),
// and compares what becomes of it with the text next to it.
func TestRequests(t *testing.T) {
	files := must.Get(filepath.Glob("testdata/requests/*.http.gz"))(t)
	if len(files) < 7 {
		t.Fatalf("%d requests", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".http.gz")
		t.Run(filepath.Base(name), func(t *testing.T) {
			z := must.Get(gzip.NewReader(bytes.NewReader(must.Get(os.ReadFile(file))(t))))(t)
			r := must.Get(http.ReadRequest(bufio.NewReader(z)))(t)
			if r.URL.Path == "/tunnel" { // what the test of the SDK calls it
				r.URL.Path, r.URL.RawQuery = "/api/1/envelope/", "sentry_key=public"
			} else {
				r.URL.Path = proxyPath
			}
			s := newSite(t, config.App{Name: "shop", Keys: []string{"pub0", "public"}, Origins: []string{"*"}, Labels: []string{"environment", "service"}})
			s.now = time.Date(2026, 11, 23, 10, 40, 0, 0, time.UTC)
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			got := told(t, w, s.taken())
			if want, _ := os.ReadFile(name + ".txt"); string(want) != got {
				t.Errorf("%s.txt has other text; this is what became of it:\n%s", name, got)
			}
		})
	}
}

// told is an answer and what became of the request.
func told(t *testing.T, w *httptest.ResponseRecorder, chunks []*record.Chunk) string {
	var b strings.Builder
	fmt.Fprintln(&b, w.Code, strings.TrimSpace(w.Body.String()))
	for _, c := range chunks {
		must.Do(t, c.Profile.CheckValid())
		fmt.Fprintf(&b, "\n%s at %s, %v observed at %v, rate %v, view %v, debug ids %v\n", c.Source, c.At.Format(time.RFC3339), c.Observed, c.Interval, c.Rate, !c.View.IsZero(), slices.Collect(maps.Values(c.Profile.Meta.DebugIDs)))
		for _, name := range slices.Sorted(maps.Keys(c.Labels)) {
			fmt.Fprintf(&b, "%s: %s\n", name, c.Labels[name])
		}
		self := map[string]int64{}
		for i, stack := range c.Profile.Samples.Stack {
			f := profile.Function{Name: "no stack"}
			if stack != profile.NoStack {
				f = c.Profile.Function(c.Profile.Frames.Function[c.Profile.Stacks.Frame[stack]])
			}
			self[fmt.Sprintf("%s %s:%d:%d", f.Name, f.File, f.Line, f.Column)] += int64(c.Profile.Samples.Weight[i])
		}
		for _, function := range slices.Sorted(maps.Keys(self)) {
			fmt.Fprintf(&b, "%6d %s\n", self[function], function)
		}
	}
	return b.String()
}
