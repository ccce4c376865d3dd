package gecko

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// oracle is the Firefox Profiler's command line.
type oracle string // its script

func newOracle(t *testing.T) oracle {
	t.Helper()
	if testing.Short() {
		t.Skip("starts the Firefox Profiler")
	}
	dir := must.Get(filepath.Abs("testdata/oracle"))(t)
	fixtures.EnsureIn(t, dir)
	return oracle(filepath.Join(dir, "node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js"))
}

func (o oracle) command(sessions string, args ...string) *exec.Cmd {
	cmd := exec.Command("node", append([]string{string(o)}, args...)...)
	cmd.Env = append(os.Environ(), "PROFILER_CLI_SESSION_DIR="+sessions, "PROFILER_CLI_NO_SYMBOLICATE=1")
	return cmd
}

// ask opens a profile and asks about it. The server that profiler-cli starts for
// itself must answer within half a second; this one has the time it needs.
func (o oracle) ask(t *testing.T, path string, questions ...[]string) (answers [][]byte) {
	t.Helper()
	sessions := t.TempDir()
	server := o.command(sessions, "--daemon", path, "--session", "test")
	must.Do(t, server.Start())
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	defer func() {
		_ = server.Process.Kill()
		<-ended
	}()
	o.await(t, filepath.Join(sessions, "test.log"), ended)
	for _, question := range questions {
		out, err := o.command(sessions, append(question, "--json", "--session", "test")...).CombinedOutput()
		if err != nil {
			t.Fatalf("profiler-cli %v: %v\n%s", question, err, out)
		}
		answers = append(answers, out)
	}
	return answers
}

// await waits until the server's log says that the profile is loaded: asking earlier
// deletes what the server has begun.
func (o oracle) await(t *testing.T, path string, ended chan error) {
	t.Helper()
	for range 30000 { // five minutes, for what hangs
		log, _ := os.ReadFile(path)
		if bytes.Contains(log, []byte("Profile loaded successfully")) {
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("profiler-cli ended: %v\n%s", err, log)
		case <-time.After(10 * time.Millisecond):
		}
		if bytes.Contains(log, []byte("Failed to load profile")) {
			t.Fatalf("the Firefox Profiler refuses the file:\n%s", log)
		}
	}
	t.Fatal("profiler-cli does not begin")
}

// functions are self shares in percent, of all time and of that which is not
// idle, of the thread that the Firefox Profiler itself selects.
func (o oracle) functions(t *testing.T, path string) (all, busy map[string]float64) {
	t.Helper()
	question := []string{"thread", "functions", "--limit", "0"}
	answers := o.ask(t, path, append([]string{}, append(question, "--include-idle")...), question)
	shares := make([]map[string]float64, len(answers))
	for i, answer := range answers {
		var got struct {
			Functions []struct {
				Name           string
				SelfPercentage float64
			}
		}
		must.Do(t, json.Unmarshal(answer, &got), answer)
		shares[i] = map[string]float64{}
		for _, f := range got.Functions {
			shares[i][f.Name] += f.SelfPercentage
		}
	}
	return shares[0], shares[1]
}

// ours are the same of a profile.
func ours(p *profile.Profile, withIdle bool) map[string]float64 {
	all := 0.0
	for _, r := range view.Flat(p) {
		if withIdle || r.Name != profile.NameIdle {
			all += float64(r.Self)
		}
	}
	self := map[string]float64{}
	for _, r := range view.Flat(p) {
		if withIdle || r.Name != profile.NameIdle {
			self[shownName(p.Function(r.Function))] += 100 * float64(r.Self) / all
		}
	}
	return self
}

// agree compares every function, not just the ten hottest.
func agree(t *testing.T, got, want map[string]float64) {
	t.Helper()
	compared, sum := 0, 0.0
	for name, share := range want {
		if math.Abs(got[name]-share) > 0.1 {
			t.Errorf("%s: %.3f %%, we say %.3f %%", name, got[name], share)
		}
		if share > 0 {
			compared++
		}
	}
	for name, share := range got {
		if sum += share; share > 0.1 && want[name] == 0 {
			t.Errorf("%s: %.3f %%, which we do not know", name, share)
		}
	}
	if compared < 3 || math.Abs(sum-100) > 0.1 {
		t.Errorf("%d functions compared, %.3f %% in all", compared, sum)
	}
}

// TestFirefoxProfilerAgrees opens what we write in the Firefox Profiler.
func TestFirefoxProfilerAgrees(t *testing.T) {
	o := newOracle(t)
	node := formattest.File(t, cpuprofile.Read, "../cpuprofile/testdata/node.cpuprofile")
	for what, p := range map[string]*profile.Profile{"weights": withStacks(t, example()), "Node": node} {
		for form, write := range writers {
			if what == "Node" && form == "version 5" {
				continue
			}
			t.Run(what+", "+form, func(t *testing.T) {
				path := writeFile(t, p, write)
				all, busy := o.functions(t, path)
				agree(t, all, ours(p, true))
				if form != "version 5" { // which has no idle time
					agree(t, busy, ours(p, false))
				}
			})
		}
	}
}

// withStacks gives samples without a stack the one they are written with.
func withStacks(t *testing.T, p *profile.Profile) *profile.Profile {
	t.Helper()
	return must.Get(newWritten(p))(t).Profile
}

func writeFile(t *testing.T, p *profile.Profile, write func(io.Writer, *profile.Profile) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.json")
	must.Do(t, os.WriteFile(path, formattest.Written(t, write, p).Bytes(), 0o600))
	return path
}

// TestWeReadFirefoxsFileAsItsProfilerDoes compares a file of Firefox's own.
func TestWeReadFirefoxsFileAsItsProfilerDoes(t *testing.T) {
	o := newOracle(t)
	p := formattest.File(t, Read, "testdata/firefox/startup.json")
	_, got := o.functions(t, "testdata/firefox/startup.json")
	want := map[string]float64{}
	for name, share := range ours(p, false) {
		// Where Firefox has no line, its profiler takes a script for a name.
		if name == rootScope+"file:///app/work.js" {
			name = "file:///app/work.js[8]"
		}
		want[name] = share
	}
	agree(t, got, want)
}
