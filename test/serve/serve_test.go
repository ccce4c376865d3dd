// Package serve runs `instrument serve` as users do: a process, a site and a panel in real
// browsers.
package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/test/browser"
)

func TestMain(m *testing.M) { browser.Main(m) }

// hang is how long a test waits for what never comes.
const hang = 5 * time.Minute

// program builds the command once.
var program = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "serve")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "instrument")
	if out, err := exec.Command("go", "build", "-o", path, "../../cmd/instrument").CombinedOutput(); err != nil {
		return "", errors.Join(err, errors.New(string(out)))
	}
	return path, nil
})

// built is the site of testdata as a bundler leaves it: minified, with source maps.
func built(t *testing.T) string {
	t.Helper()
	dist := t.TempDir()
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"testdata/site/src/app.ts", "testdata/site/src/worker.ts"}, Outdir: dist, Bundle: true, Write: true,
		MinifyIdentifiers: true, MinifyWhitespace: true, MinifySyntax: true, Sourcemap: api.SourceMapLinked, Format: api.FormatIIFE,
	})
	if len(result.Errors) > 0 {
		t.Fatal(result.Errors)
	}
	page, err := os.ReadFile("testdata/site/index.html")
	if err == nil {
		err = os.WriteFile(filepath.Join(dist, "index.html"), page, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dist
}

// serving is a running `instrument serve`.
type serving struct {
	t           *testing.T
	Site, Panel string
	cmd         *exec.Cmd
	stderr      bytes.Buffer
	ended       chan error
}

// command is `instrument serve` with a cache directory in home.
func command(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"serve"}, args...)...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+home, "HOME="+home, "LocalAppData="+home)
	return cmd
}

// start starts a server, on its own port: the next free one from 8080 on may belong to a server
// that is down for a moment.
func start(t *testing.T, home string, args ...string) *serving {
	t.Helper()
	if !slices.Contains(args, "--port") {
		args = append([]string{"--port", must.FreePort(t)}, args...)
	}
	s := &serving{t: t, cmd: command(t, home, append([]string{"--json"}, args...)...), ended: make(chan error, 1)}
	s.cmd.Stderr = &s.stderr
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	err = json.NewDecoder(out).Decode(&s)
	go func() {
		io.Copy(io.Discard, out)
		s.ended <- s.cmd.Wait()
	}()
	if err != nil {
		t.Fatalf("%v: %v: %s", err, <-s.ended, &s.stderr)
	}
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		s.wait()
	})
	return s
}

// wait waits until the process has ended.
func (s *serving) wait() error {
	s.t.Helper()
	select {
	case err := <-s.ended:
		s.ended <- err
		return err
	case <-time.After(hang):
		s.t.Fatal("it does not end")
	}
	return nil
}

// port is where it listens.
func (s *serving) port() string {
	rest := s.Site[strings.LastIndex(s.Site, ":")+1:]
	return strings.TrimSuffix(rest, "/")
}

// The first live tree takes three actions: open the site, open the panel, press Start.
func TestFirstTree(t *testing.T) {
	dist := built(t)
	browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
		s := start(t, t.TempDir(), fmt.Sprint("--isolated=", isolated), dist)
		page := b.Open(s.Site)
		panel := b.Open(s.Panel)
		panel.Wait(`document.querySelector(".sources li")`)
		panel.Eval(`document.querySelector("button.start").click()`)
		panel.Wait(`[...document.querySelectorAll("[role=tab]")].some((tab) => tab.textContent === "Top down" && (tab.click(), true))`)
		panel.Wait(`[...document.querySelectorAll("main tr[role=row]")].some((tr) => /render/.test(tr.textContent))`)
		for who, p := range map[string]*browser.Page{"page": page, "panel": panel} {
			if said := p.Errors(); len(said) > 0 {
				t.Errorf("%s: %q", who, said)
			}
		}
		if folder := os.Getenv("FIELDPROF_SCREENSHOTS"); folder != "" {
			panel.Screenshot(filepath.Join(folder, fmt.Sprintf("first-%s-isolated-%v.png", b.Name, isolated)))
		}
	})
}

// ofPage reports whether functions of the site's page are among the names.
func ofPage(names map[string]bool) bool {
	return anyOf(names, []string{"turn app.ts", "smooth smooth.ts"})
}

// In front of another server it is the same.
func TestProxy(t *testing.T) {
	dev := httptest.NewServer(http.FileServer(http.Dir(built(t))))
	t.Cleanup(func() {
		dev.CloseClientConnections()
		dev.Close()
	})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		s := start(t, t.TempDir(), "--proxy", dev.URL)
		page := b.Open(s.Site)
		panel := s.watch(t)
		panel.sources("the page", func(list []live.Source) bool { return len(list) == 1 })
		panel.send(live.Start{Type: live.TypeStart, Interval: 10})
		panel.sources("samples", recording(1))
		s.untilNamed("the page's functions", ofPage)
		if said := page.Errors(); len(said) > 0 {
			t.Errorf("%q", said)
		}
	})
}

// It prints three lines and nothing else. Ctrl-C ends it, and nothing is left.
func TestThreeLines(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted here")
	}
	home := t.TempDir()
	cmd := command(t, home, built(t))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	read := bufio.NewReader(out)
	var lines string
	for range 3 {
		line, err := read.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		lines += line
	}
	if want := regexp.MustCompile(`^Site:   (http://localhost:\d+/)\nPanel:  http://localhost:\d+/__fieldprof/\nCtrl-C stops both\.\n$`); !want.MatchString(lines) {
		t.Errorf("it says\n%s", lines)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(read)
	if err != nil || len(rest) > 0 || stderr.Len() > 0 {
		t.Errorf("it says more: %q %q %v", rest, &stderr, err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("%v, want code 130", err)
	}
	if left, _ := filepath.Glob(filepath.Join(home, "*", "live", "*")); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
}

// Profiles that were kept are shown again.
func TestKeep(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted here")
	}
	home, dist, kept := t.TempDir(), built(t), filepath.Join(t.TempDir(), "kept")
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		kept := filepath.Join(kept, b.Name)
		s := start(t, home, "--keep", kept, dist)
		b.Open(s.Site)
		panel := s.watch(t)
		panel.sources("the page", func(list []live.Source) bool { return len(list) == 1 })
		panel.send(live.Start{Type: live.TypeStart, Interval: 10})
		panel.sources("samples", recording(1))
		s.untilNamed("the page's functions", ofPage)
		if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		s.wait()
		again := start(t, home, "--keep", kept, dist)
		again.watch(t).sources("what was kept", func(list []live.Source) bool {
			return len(list) == 1 && list[0].State == "gone" && list[0].Samples > 0
		})
		if got := names(again.saved()); !ofPage(got) {
			t.Errorf("functions %v", got)
		}
	})
}
