// Package serve runs `instrument serve` as users do: a process, a site and a panel in real
// browsers.
package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

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

// start starts a server, whose cache directory is in home.
func start(t *testing.T, home string, args ...string) *serving {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	s := &serving{t: t, cmd: exec.Command(path, append([]string{"serve", "--json"}, args...)...), ended: make(chan error, 1)}
	s.cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+home, "HOME="+home, "LocalAppData="+home)
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
	for name, args := range map[string][]string{"isolated": nil, "as in the field": {"--isolated=false"}} {
		t.Run(name, func(t *testing.T) {
			browser.Each(t, func(t *testing.T, b *browser.Browser) {
				s := start(t, t.TempDir(), append(args, dist)...)
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
					panel.Screenshot(filepath.Join(folder, "first-"+strings.ReplaceAll(name, " ", "-")+"-"+b.Name+".png"))
				}
			})
		})
	}
}

// Ctrl-C ends it, and nothing is left.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted here")
	}
	home := t.TempDir()
	s := start(t, home, built(t))
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := s.wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("%v, want code 130", err)
	}
	if s.stderr.Len() > 0 {
		t.Errorf("it said %q", &s.stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(home, "*", "live", "*")); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
}
