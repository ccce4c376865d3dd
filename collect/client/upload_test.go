package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/api"
	"github.com/fieldprof/fieldprof/collect/client"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
)

const (
	sourceMap = `{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}`
	table     = `{"version":1,"file":"app.js","strings":[""],"functions":[0,1,1,8,1,-1,0,1,0,0]}`
	secret    = "token-that-uploads-0123456789"
)

// build writes a built site.
func build(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func site(t *testing.T) string {
	return build(t, map[string]string{
		"assets/app.js":                "f()\n//# sourceMappingURL=app.js.map\n",
		"assets/app.js.map":            sourceMap,
		"assets/app.js.functions.json": table,
		"assets/far.js":                "secret()\n//# sourceMappingURL=../maps/far.map\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17\n",
		"maps/far.map":                 sourceMap,
		"assets/plain.js":              "f()\n",
		"assets/style.css.map":         "{}",
		"index.html":                   "<p>",
		"node_modules/x/x.js.map":      sourceMap,
		"a b/ü%2e#?.js.map":            sourceMap,
	})
}

// collector is a collector whose answers a test can change.
type collector struct {
	*httptest.Server
	store *memory.Store

	mu     sync.Mutex
	asked  []string
	answer func(w http.ResponseWriter, r *http.Request) bool // true: it has answered
}

func newCollector(t *testing.T) (*collector, *client.Client) {
	c := &collector{store: memory.New()}
	handler := api.New(api.Options{Answers: answer.New(c.store, answer.Options{}), Store: c.store,
		Config: &config.Config{Apps: []config.App{{Name: "shop"}}, Tokens: []config.Token{{Text: secret, Upload: true}}}})
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/api/v1"))
		done := c.answer != nil && c.answer(w, r)
		c.mu.Unlock()
		if !done {
			handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(c.Close)
	return c, c.client(t, secret)
}

func (c *collector) client(t *testing.T, token string) *client.Client {
	t.Helper()
	asks, err := client.New(c.URL+"/", token)
	if err != nil {
		t.Fatal(err)
	}
	asks.Sleep = func(context.Context, time.Duration) error { return nil }
	return asks
}

func (c *collector) puts() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, asked := range c.asked {
		if strings.HasPrefix(asked, "PUT ") {
			n++
		}
	}
	return n
}

func outcomes(uploads []client.Upload) map[string]int {
	n := map[string]int{}
	for _, u := range uploads {
		n[u.Outcome]++
	}
	return n
}

func TestUpload(t *testing.T) {
	c, asks := newCollector(t)
	files, err := client.FilesOf(t.Context(), site(t))
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	uploads, err := asks.Upload(t.Context(), "", "feature/1 2", files, func(client.Upload) { told++ })
	if err != nil || told != 5 || outcomes(uploads)[client.Sent] != 5 {
		t.Fatalf("%v, %v, told of %d", uploads, err, told)
	}
	kept, err := c.store.Files(t.Context(), "shop", "feature/1 2")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range kept {
		names = append(names, f.Kind+" "+f.Name)
	}
	slices.Sort(names)
	if want := []string{"map a b/ü%2e#?.js.map", "map assets/app.js.map", "map maps/far.map", "script assets/far.js", "table assets/app.js.functions.json"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	script, err := c.store.FileContent(t.Context(), "shop", "feature/1 2", "assets/far.js")
	if err != nil || strings.Contains(string(script), "secret") {
		t.Errorf("%q, %v", script, err)
	}
	// Again, with one file changed and one of equal size.
	files[0].Content = []byte(strings.Replace(sourceMap, "AAAA", "AACA", 1))
	files[1].Content = []byte(table + "\n")
	before := c.puts()
	uploads, err = asks.Upload(t.Context(), "shop", "feature/1 2", files, nil)
	if got := outcomes(uploads); err != nil || got[client.Sent] != 2 || got[client.Same] != 3 || c.puts() != before+2 {
		t.Errorf("%v, %v, %d requests", uploads, err, c.puts()-before)
	}
}

// Passing failures are retried, and lasting ones reported.
func TestRetries(t *testing.T) {
	c, asks := newCollector(t)
	var waits []time.Duration
	asks.Sleep = func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}
	left := []int{503, 429, 502, 504}
	c.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if len(left) == 0 || r.Method != "PUT" {
			return false
		}
		if left[0] == 429 {
			w.Header().Set("Retry-After", "7")
		}
		w.WriteHeader(left[0])
		left = left[1:]
		return true
	}
	files := []client.File{{Name: "a.js.map", Content: []byte(sourceMap)}}
	uploads, err := asks.Upload(t.Context(), "", "1", files, nil)
	if err != nil || outcomes(uploads)[client.Sent] != 1 {
		t.Errorf("%v, %v", uploads, err)
	}
	if want := []time.Duration{time.Second, 7 * time.Second, 4 * time.Second, 8 * time.Second}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
	left = slices.Repeat([]int{503}, 9)
	uploads, err = asks.Upload(t.Context(), "", "2", files, nil)
	if err != nil || len(left) != 4 || !strings.Contains(uploads[0].Error, "after 5 attempts") {
		t.Errorf("%v, %v, %d left", uploads, err, len(left))
	}
}

// A refused file does not stop the others, but a refused token does.
func TestRefusals(t *testing.T) {
	c, asks := newCollector(t)
	files := []client.File{{Name: "bad.js.map", Content: []byte("{")}, {Name: "a.js.map", Content: []byte(sourceMap)}, {Name: "gone.js.map", Path: filepath.Join(t.TempDir(), "gone")}}
	uploads, err := asks.Upload(t.Context(), "", "1", files, nil)
	if err != nil || uploads[0].Outcome != client.Failed || !strings.Contains(uploads[0].Error, "neither a source map") || uploads[1].Outcome != client.Sent || uploads[2].Outcome != client.Failed {
		t.Errorf("%+v, %v", uploads, err)
	}
	var refusal *client.Refusal
	if _, err := c.client(t, "wrong").Upload(t.Context(), "", "1", files, nil); !errors.As(err, &refusal) || refusal.Status != 401 {
		t.Errorf("%v", err)
	}
	if _, err := asks.Upload(t.Context(), "news", "1", files, nil); !errors.As(err, &refusal) || refusal.Status != 403 {
		t.Errorf("%v", err)
	}
	c.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "PUT" {
			w.WriteHeader(403)
		}
		return r.Method == "PUT"
	}
	before := c.puts()
	uploads, err = asks.Upload(t.Context(), "", "2", slices.Repeat(files[1:2], 100), nil)
	if !errors.As(err, &refusal) || refusal.Status != 403 || c.puts()-before > 10 || outcomes(uploads)[client.Failed] != 100 {
		t.Errorf("%v after %d requests", err, c.puts()-before)
	}
}

// An interrupted upload ends at once, and repeating it continues it.
func TestInterrupted(t *testing.T) {
	c, asks := newCollector(t)
	ctx, cancel := context.WithCancel(t.Context())
	files := []client.File{}
	for i := range 50 {
		files = append(files, client.File{Name: string(rune('a'+i%26)) + string(rune('a'+i/26)) + ".js.map", Content: []byte(sourceMap)})
	}
	done := 0
	_, err := asks.Upload(ctx, "", "1", files, func(client.Upload) {
		if done++; done == 10 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || c.puts() >= 50 {
		t.Errorf("%v after %d requests", err, c.puts())
	}
	kept, err := c.store.Files(t.Context(), "shop", "1")
	if err != nil || len(kept) < 10 {
		t.Fatalf("%d, %v", len(kept), err)
	}
	uploads, err := asks.Upload(t.Context(), "", "1", files, nil)
	// The collector may still finish what it was sent before the interruption.
	if got := outcomes(uploads); err != nil || got[client.Same] < len(kept) || got[client.Same]+got[client.Sent] != 50 {
		t.Errorf("%v, %v", got, err)
	}
}

// The token goes to no other host, and other servers are recognized as such.
func TestOtherServers(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	c, asks := newCollector(t)
	for says, answer := range map[string]func(w http.ResponseWriter){
		"redirects to " + other.URL: func(w http.ResponseWriter) {
			w.Header().Set("Location", other.URL)
			w.WriteHeader(302)
		},
		"is it a collector?":     func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) },
		"404 Not Found: is it a": func(w http.ResponseWriter) { w.WriteHeader(404) },
	} {
		c.answer = func(w http.ResponseWriter, _ *http.Request) bool { answer(w); return true }
		if _, err := asks.Get(t.Context(), "/apps", nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	if reached {
		t.Error("a redirect was followed")
	}
	c.Close()
	if _, err := asks.Get(t.Context(), "/apps", nil); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("%v", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"", "profiles.example", "ftp://profiles.example", "http://", "https://u:p@profiles.example", "https://profiles.example?x", "https://profiles.example#x", "http://[::1"} {
		if _, err := client.New(address, secret); err == nil {
			t.Errorf("%s is an address", address)
		}
	}
	for _, token := range []string{"", "two\nlines", "ü", "a b", "\x00"} {
		if _, err := client.New("https://profiles.example", token); err == nil || token != "" && strings.Contains(err.Error(), token) {
			t.Errorf("%q: %v", token, err)
		}
	}
}

func TestFilesOf(t *testing.T) {
	for says, folder := range map[string]string{
		"no source maps and no function tables": build(t, map[string]string{"app.js": "f()"}),
		"no such file":                          filepath.Join(t.TempDir(), "none"),
		"is not a directory":                    filepath.Join(site(t), "index.html"),
	} {
		if _, err := client.FilesOf(t.Context(), folder); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	folder := site(t)
	if err := os.Symlink("/etc/passwd", filepath.Join(folder, "link.js.map")); err != nil {
		t.Skip("there are no links here")
	}
	files, err := client.FilesOf(t.Context(), folder)
	if err != nil || slices.ContainsFunc(files, func(f client.File) bool { return f.Name == "link.js.map" }) {
		t.Errorf("%v, %v", files, err)
	}
	// The directory itself may be a link: current -> releases/42.
	current := filepath.Join(t.TempDir(), "current")
	must.Do(t, os.Symlink(folder, current))
	linked := must.Get(client.FilesOf(t.Context(), current))(t)
	namesOf := func(files []client.File) (names []string) {
		for _, f := range files {
			names = append(names, f.Name)
		}
		return names
	}
	must.Equal(t, namesOf(linked), namesOf(files))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.FilesOf(ctx, folder); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
