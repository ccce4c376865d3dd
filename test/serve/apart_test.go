package serve

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/test/browser"
)

// run runs a program under `instrument run` until the end of the test.
func (s *serving) run(args ...string) {
	s.t.Helper()
	path, err := program()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"run", "--live", s.Site, "--top", "0"}, args...)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if runtime.GOOS == "windows" {
			cmd.Process.Kill()
		} else {
			cmd.Process.Signal(os.Interrupt)
		}
		cmd.Wait()
		if s.t.Failed() {
			s.t.Logf("%q: %s", args, &said)
		}
	})
}

// Two pages, a worker, a Node process and a goja process at once are kept apart and can be
// merged.
func TestSourcesApart(t *testing.T) {
	dist := built(t)
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		s := start(t, t.TempDir(), dist)
		b.Open(s.Site)
		b.Open(s.Site + "?worker")
		s.run("--interval", "10ms", "testdata/programs/primes.js")
		s.run("--interval", "10ms", "--engine", "node", "testdata/programs/collatz.js")
		panel := s.watch(t)
		panel.sources("the pages", func(list []live.Source) bool {
			return len(list) == 5
		})
		panel.send(live.Start{Type: live.TypeStart, Interval: 10})
		list := panel.sources("samples of all", recording(5))
		page, worker := []string{"turn app.ts", "smooth smooth.ts"}, []string{"sums worker.ts"}
		goja, node := []string{"isPrime primes.js"}, []string{"steps collatz.js"}
		groups := map[string][]string{"page": page, "worker": worker, "goja": goja, "node": node}
		var ids, kinds []string
		for _, source := range list {
			ids, kinds = append(ids, source.ID), append(kinds, source.What)
			for what, own := range groups {
				if what == source.What {
					s.untilNamed("functions of the "+what, func(names map[string]bool) bool { return anyOf(names, own) }, source.ID)
				} else if anyOf(names(s.saved(source.ID)), own) {
					t.Errorf("%s %q has functions of a %s", source.What, source.Name, what)
				}
			}
		}
		slices.Sort(kinds)
		if !slices.Equal(kinds, []string{"goja", "node", "page", "page", "worker"}) {
			t.Errorf("sources %q", kinds)
		}
		all := names(s.saved(ids...))
		for what, own := range groups {
			if !anyOf(all, own) {
				t.Errorf("merged, the functions of the %s are missing: %v", what, all)
			}
		}
	})
}

func anyOf(set map[string]bool, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return set[name] })
}
