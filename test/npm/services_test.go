package npm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	pb "github.com/google/pprof/profile"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// web is an example of a service. Its libraries are from testdata where they are not those that
// fixtures/service has.
type web struct {
	name, example string
	libraries     map[string]string // imported name: name in testdata
	modes         []string          // without FIELDPROF_FULL; nil: all
}

var webs = []web{
	{name: "express", example: "express-service"},
	{name: "fastify", example: "fastify-service"},
	{"koa", "koa-service", map[string]string{"koa": "koa", "@koa": "@koa"}, []string{"continuous"}},
	{"express 4", "express-service", map[string]string{"express": "express4"}, []string{"continuous"}},
	{"fastify 4", "fastify-service", map[string]string{"fastify": "fastify4"}, []string{"continuous"}},
}

// The examples on Express, Fastify and Koa are recorded in every mode while requests come, until a
// profile shows what they did: on a busy machine that may take several. With the older versions
// of the frameworks they do the same.
func TestServices(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	folder := packages.Install(t, nil, "@fieldprof/runtime")
	libraries := filepath.Join(fixtures.Dir(), "service")
	fixtures.EnsureIn(t, libraries)
	older := filepath.Join(packages.Top(), "test/npm/testdata")
	fixtures.EnsureIn(t, older)
	for _, entry := range must.Get(os.ReadDir(filepath.Join(libraries, "node_modules")))(t) {
		if name := entry.Name(); name != "@fieldprof" && !strings.HasPrefix(name, ".package") {
			must.Do(t, os.Symlink(filepath.Join(libraries, "node_modules", name), filepath.Join(folder, "node_modules", name)))
		}
	}
	modes := []struct {
		name   string
		record func(t *testing.T, folder string)
	}{{"continuous", recordsContinuously}, {"signal", recordsBetweenSignals}, {"push", pushes}, {"in trouble", goesOn}}
	for _, w := range webs {
		input := filepath.Join(folder, strings.ReplaceAll(w.name, " ", ""))
		must.Do(t, os.CopyFS(input, os.DirFS(filepath.Join(packages.Top(), "npm/examples", w.example))))
		must.Do(t, os.RemoveAll(filepath.Join(input, "dist-profiled")))
		for name, kept := range w.libraries {
			must.Do(t, os.MkdirAll(filepath.Join(input, "node_modules"), 0o755))
			must.Do(t, os.Symlink(filepath.Join(older, "node_modules", kept), filepath.Join(input, "node_modules", name)))
		}
		browser.Instrument(t, builddir.Options{Input: filepath.Join(input, "src"), Output: filepath.Join(input, "dist-profiled")})
		t.Run(w.name, func(t *testing.T) {
			for _, mode := range modes {
				if w.modes == nil || slices.Contains(w.modes, mode.name) || os.Getenv("FIELDPROF_FULL") != "" {
					t.Run(mode.name, func(t *testing.T) { mode.record(t, input) })
				}
			}
		})
	}
}

// service is an example that runs.
type service struct {
	url  string
	cmd  *exec.Cmd
	mu   sync.Mutex
	said bytes.Buffer // on standard error
}

func startService(t *testing.T, folder string, env ...string) *service {
	t.Helper()
	s := &service{cmd: exec.Command("node", "--import", "@fieldprof/runtime/register", "dist-profiled/server.js")}
	s.cmd.Dir = folder
	s.cmd.Env = append(os.Environ(), append([]string{"FIELDPROF_INTERVAL=1"}, env...)...)
	s.cmd.Stderr = s
	out := must.Get(s.cmd.StdoutPipe())(t)
	must.Do(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it did not start: %s", s.told())
	}
	s.url = strings.TrimSpace(line)
	return s
}

// Write takes what it says.
func (s *service) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.Write(text)
}

func (s *service) told() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said.String()
}

// ask sends each kind of request once.
func (s *service) ask(t *testing.T) {
	t.Helper()
	for i, path := range []string{"orders/7", "reports/may", "orders"} {
		request := must.Get(http.NewRequest(http.MethodGet, s.url+path, http.NoBody))(t)
		if path == "orders" {
			request = must.Get(http.NewRequest(http.MethodPost, s.url+path, strings.NewReader(`{"id": 3}`)))(t)
			request.Header.Set("Content-Type", "application/json")
		}
		request.Header.Set("X-Tenant", fmt.Sprint("tenant-", i%2))
		response := must.Get(http.DefaultClient.Do(request))(t)
		text := must.Get(io.ReadAll(response.Body))(t)
		response.Body.Close()
		if response.StatusCode >= 300 {
			t.Fatalf("%s: %d: %s", path, response.StatusCode, text)
		}
	}
}

// end ends it, and checks that it did as it wanted to.
func (s *service) end(t *testing.T) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	must.Do(t, s.cmd.Process.Signal(syscall.SIGTERM))
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, s.told())
	}
}

// shown gathers what profiles show.
type shown map[string]bool

func (s shown) read(t *testing.T, raw []byte) {
	t.Helper()
	p := must.Get(pb.ParseData(raw))(t)
	for _, sample := range p.Sample {
		if len(sample.Label["route"]) == 0 {
			continue
		}
		top := sample.Location[0].Line[0].Function
		if strings.HasSuffix(top.Filename, "/src/orders.js") || strings.HasSuffix(top.Filename, "/dist-profiled/orders.js") {
			s[strings.Join([]string{top.Name, sample.Label["method"][0], sample.Label["route"][0], sample.Label["tenant"][0]}, " ")] = true
		}
	}
}

// all: the service's work is seen with the request's labels, after a body, too.
func (s shown) all() bool {
	return s["priceOf GET /orders/:id tenant-0"] && s["priceOf POST /orders tenant-0"] && s["priceOf GET /reports/:month tenant-1"]
}

func profiles(t *testing.T, folder string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(folder, "*.pb.gz")))(t)
}

func recordsContinuously(t *testing.T, folder string) {
	out := t.TempDir()
	s := startService(t, folder, "FIELDPROF_MODE=continuous", "FIELDPROF_EVERY=0.2", "FIELDPROF_KEEP=3", "FIELDPROF_OUTPUT="+filepath.Join(out, "orders.pb.gz"))
	found, files := shown{}, map[string]bool{}
	must.Happen(t, "more profiles than are kept, and all routes in them", func() bool {
		s.ask(t)
		for _, file := range profiles(t, out) {
			if files[file] {
				continue
			}
			if raw, err := os.ReadFile(file); err == nil { // it may be gone already
				found.read(t, raw)
				files[file] = true
			}
		}
		return found.all() && len(files) > 4
	})
	s.end(t)
	if left := must.Get(os.ReadDir(out))(t); len(left) != 3 {
		t.Errorf("left are %v: %s", left, s.told())
	}
	for line := range strings.Lines(s.told()) {
		// A machine may be too busy to make five profiles a second.
		if !strings.Contains(line, "is behind") && !strings.Contains(line, "are made again") {
			t.Error(line)
		}
	}
}

func recordsBetweenSignals(t *testing.T, folder string) {
	out := t.TempDir()
	s := startService(t, folder, "FIELDPROF_MODE=signal", "FIELDPROF_OUTPUT="+filepath.Join(out, "orders.pb.gz"))
	found := shown{}
	for round := 1; !found.all() && round < 100; round++ {
		must.Do(t, s.cmd.Process.Signal(syscall.SIGUSR2))
		must.Happen(t, "it records", func() bool { return strings.Count(s.told(), "recording:") == round })
		for range 20 {
			s.ask(t)
		}
		must.Do(t, s.cmd.Process.Signal(syscall.SIGUSR2))
		must.Happen(t, "a profile", func() bool {
			return strings.Count(s.told(), "wrote ")+strings.Count(s.told(), "no check was seen") == round
		})
		for _, file := range profiles(t, out) {
			found.read(t, must.Get(os.ReadFile(file))(t))
		}
	}
	if !found.all() {
		t.Errorf("seen were %v: %s", found, s.told())
	}
	s.end(t)
}

// pushes: the receiver of each kind gets profiles; the first answer is an error.
func pushes(t *testing.T, folder string) {
	for _, kind := range []struct{ to, path string }{{"collector", "/v1/profiles"}, {"pyroscope", "/push.v1.PusherService/Push"}, {"otlp", "/v1development/profiles"}} {
		got := make(chan []byte, 100)
		var asked int
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := must.Get(io.ReadAll(r.Body))(t)
			if asked++; asked == 1 {
				http.Error(w, "not yet", http.StatusServiceUnavailable)
				return
			}
			if r.URL.Path != kind.path || r.Header.Get("X-Secret") != "a b" {
				t.Errorf("%s, %v", r.URL, r.Header)
			}
			select {
			case got <- body:
			default: // there are enough
			}
		}))
		s := startService(t, folder, "FIELDPROF_MODE=continuous", "FIELDPROF_EVERY=0.2", "FIELDPROF_PUSH="+receiver.URL, "FIELDPROF_PUSH_TO="+kind.to, "FIELDPROF_PUSH_HEADERS=X-Secret=a%20b")
		found := shown{}
		must.Happen(t, "profiles for "+kind.to, func() bool {
			s.ask(t)
			select {
			case body := <-got:
				found.take(t, kind.to, body)
			default:
			}
			return found.all()
		})
		s.end(t)
		failed := 0
		for line := range strings.Lines(s.told()) {
			// A machine may be too busy to answer in time.
			if strings.Contains(line, "could not be sent") && !strings.Contains(line, "no answer in") {
				failed++
			}
		}
		if failed != 1 {
			t.Errorf("it said %s", s.told())
		}
		receiver.Close()
	}
}

func (s shown) take(t *testing.T, to string, body []byte) {
	t.Helper()
	switch to {
	case "collector":
		s.read(t, body)
	case "pyroscope":
		push := must.JSON[struct {
			Series []struct {
				Samples []struct{ RawProfile []byte }
			}
		}](t, body)
		s.read(t, push.Series[0].Samples[0].RawProfile)
	default: // package runtime reads the whole of it
		message := must.JSON[map[string]json.RawMessage](t, ungzip(t, body))
		for _, line := range []string{"priceOf GET /orders/:id tenant-0", "priceOf POST /orders tenant-0", "priceOf GET /reports/:month tenant-1"} {
			words := strings.Fields(line)
			s[line] = s[line] || !slices.ContainsFunc(words, func(word string) bool { return !bytes.Contains(message["dictionary"], []byte(`"`+word+`"`)) })
		}
	}
}

// goesOn: whatever is wrong with the settings, the service serves, and each is one line.
func goesOn(t *testing.T, folder string) {
	out := filepath.Join(t.TempDir(), "missing")
	s := startService(t, folder, "FIELDPROF_MODE=continuous", "FIELDPROF_EVERY=0.1", "FIELDPROF_OUTPUT="+filepath.Join(out, "x.pb.gz"), "FIELDPROF_PUSH=nowhere", "FIELDPROF_KEEP=none")
	must.Happen(t, "a profile that cannot be written", func() bool { s.ask(t); return strings.Contains(s.told(), "could not be written") })
	for range 5 {
		s.ask(t)
	}
	must.Do(t, os.Mkdir(out, 0o755))
	must.Happen(t, "it writes again", func() bool { s.ask(t); return len(profiles(t, out)) > 0 })
	must.Happen(t, "it says so", func() bool { s.ask(t); return strings.Contains(s.told(), "profiles are written again") })
	s.end(t)
	lines := strings.Split(strings.TrimSpace(s.told()), "\n")
	if len(lines) != 5 {
		t.Errorf("it said %d lines: %s", len(lines), s.told())
	}
	must.Contain(t, "what it said", s.told(), "FIELDPROF_PUSH: it is not a URL", "FIELDPROF_KEEP=none", "FIELDPROF_OUTPUT: ", "the folder "+out+" does not exist")
}

func ungzip(t *testing.T, body []byte) []byte {
	t.Helper()
	plain := must.Get(gzip.NewReader(bytes.NewReader(body)))(t)
	return must.Get(io.ReadAll(plain))(t)
}
