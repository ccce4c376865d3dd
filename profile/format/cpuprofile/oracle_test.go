package cpuprofile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/view"
)

// devTools is what testdata/oracle/entry.ts writes.
type devTools struct {
	Table, Timeline map[string]float64
	Total           float64
	Meta            [3]string
}

// TestDevToolsAgrees runs DevTools' own model over what we write. Its totals
// must be ours, by hit counts and by time deltas alike.
func TestDevToolsAgrees(t *testing.T) {
	for name, p := range profiles() {
		t.Run(name, func(t *testing.T) {
			got := runDevTools(t, formattest.Written(t, Write, p).Bytes())
			compare(t, "table", got.Table, p)
			if name == "one lone program tick" {
				return // which the timeline gives to its neighbours, see the package documentation
			}
			compare(t, "timeline", got.Timeline, p)
		})
	}
}

func compare(t *testing.T, what string, got map[string]float64, p *profile.Profile) {
	t.Helper()
	self := map[string]float64{}
	all, listed := 0.0, 0
	for _, r := range view.Flat(p) {
		f := p.Function(r.Function)
		ms := float64(r.SelfTime) / 1e6
		all += ms
		if r.Self > 0 {
			listed++
		}
		self[fmt.Sprintf("%s@%s:%d:%d", f.Name, f.File, f.Line-1, f.Column-1)] += ms
	}
	if listed == 0 {
		t.Fatal("the profile has no self time")
	}
	sum := 0.0
	for key, ms := range got {
		sum += ms
		// Each run of slots may be off by a microsecond, and the timeline by the
		// rounding of DevTools' floating-point times; the rest is exact.
		if math.Abs(ms-self[key]) > 0.002*float64(p.Len()) {
			t.Errorf("%s: %s has %v ms of self time, we say %v", what, key, ms, self[key])
		}
		if points := 100 * math.Abs(ms-self[key]) / all; points > 0.1 {
			t.Errorf("%s: %s is %v points off", what, key, points)
		}
	}
	if math.Abs(sum-all) > 0.002 {
		t.Errorf("%s: %v ms in all, we say %v", what, sum, all)
	}
	for key, ms := range self {
		if _, ok := got[key]; ms > 0 && !ok {
			t.Errorf("%s: %s is missing", what, key)
		}
	}
}

func TestDevToolsKnowsOurPseudoFunctions(t *testing.T) {
	got := runDevTools(t, formattest.Written(t, Write, profiles()["pseudo"]).Bytes())
	must.Equal(t, got.Meta, [3]string{profile.NameProgram, profile.NameIdle, profile.NameGC}, "DevTools")
}

// TestForeignAgrees reads what Node wrote, as DevTools does.
func TestForeignAgrees(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/node.cpuprofile"))(t)
	p := must.Get(Read(bytes.NewReader(data)))(t)
	got := runDevTools(t, data)
	var all float64
	for _, r := range view.Flat(p) {
		all += float64(r.SelfTime) / 1e6
	}
	if math.Abs(all-got.Total) > 0.01 {
		t.Errorf("%v ms in all, DevTools says %v", all, got.Total)
	}
	compared := 0
	for _, r := range view.Flat(p) {
		f := p.Function(r.Function)
		name, line, column := f.Name, f.Line-1, f.Column-1
		ms, ok := got.Table[fmt.Sprintf("%s@%s:%d:%d", name, f.File, line, column)]
		if !ok && f.Name == "" {
			ms, ok = got.Table[fmt.Sprintf("%s@%s:%d:%d", profile.DisplayAnonymous, f.File, line, column)]
		}
		if !ok && f.Flags&profile.Pseudo != 0 {
			ms, ok = got.Table[fmt.Sprintf("%s@:-1:-1", name)]
		}
		if !ok || 100*math.Abs(ms-float64(r.SelfTime)/1e6)/all > 0.1 {
			t.Errorf("%s %s:%d: %v, DevTools says %v ms", r.Name, r.File, r.Line, r.SelfTime, ms)
		}
		compared++
	}
	if compared < 5 {
		t.Errorf("only %d functions", compared)
	}
}

func runDevTools(t *testing.T, cpuprofile []byte) (got devTools) {
	t.Helper()
	cmd := exec.Command("node", devToolsBundle(t))
	cmd.Stdin = bytes.NewReader(cpuprofile)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	must.Do(t, json.Unmarshal(out, &got))
	return got
}

// devToolsBundle installs chrome-devtools-frontend and bundles the model, once.
func devToolsBundle(t *testing.T) string {
	t.Helper()
	const dir = "testdata/oracle"
	fixtures.EnsureIn(t, dir)
	bundle := filepath.Join(dir, "node_modules", ".cache", "oracle.mjs")
	if newer(bundle, filepath.Join(dir, "entry.ts")) && newer(bundle, filepath.Join(dir, "node_modules", ".installed")) {
		return bundle
	}
	r := api.Build(api.BuildOptions{EntryPoints: []string{filepath.Join(dir, "entry.ts")}, Bundle: true, Write: true,
		Outfile: bundle, Format: api.FormatESModule, Platform: api.PlatformNode})
	if len(r.Errors) > 0 {
		t.Fatalf("%+v", r.Errors)
	}
	return bundle
}

func newer(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && !x.ModTime().Before(y.ModTime())
}
