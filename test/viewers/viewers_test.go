package viewers

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// seen is what a viewer makes of a file.
type seen struct {
	Schema   string
	Calls    int
	Marks    []string
	Profiles []struct {
		Name, Unit string
		Self       map[string]float64
	}
}

// recording is a profile as programs have them: idle time, the collector's, and
// weights, marks and markers, over an interval that is no whole number of microseconds.
func recording() *profile.Profile {
	r := rand.New(rand.NewPCG(3, 4))
	var b profile.Builder
	b.Meta = profile.Meta{Start: time.UnixMicro(1_790_000_000_000_000).UTC(), Interval: 1_033_333, Program: "app.ts", Clock: "worker"}
	frames := make([]profile.FrameID, 40)
	for i := range frames {
		frames[i] = b.Frame(b.Function(profile.Function{Name: fmt.Sprintf("f%d", i), File: fmt.Sprintf("src/%d.ts", i%7), Line: int32(10 + i), Column: 3}), int32(12+i), 5)
	}
	frames = append(frames, b.Frame(b.Function(profile.Function{Name: "host.read", File: profile.NameNative, Flags: profile.NativeCode}), 0, 0))
	now := int64(0)
	for i := range 3000 {
		s := profile.Sample{Time: now, Stack: profile.NoStack, Weight: 1 + r.Int32N(3)*r.Int32N(2), Kind: profile.Own}
		switch {
		case i%50 < 3:
			s.Kind, s.Stack, s.Weight = profile.Idle, b.Pseudo(profile.NoStack, profile.NameIdle), 7
		case i%50 == 20:
			s.Kind, s.Stack = profile.GC, b.Pseudo(profile.NoStack, profile.NameGC)
		default:
			at := profile.NoStack
			for range 2 + r.IntN(9) {
				at = b.Stack(at, frames[min(r.IntN(len(frames)), r.IntN(len(frames)))])
			}
			s.Stack = at
		}
		if i%20 == 7 {
			s.Marker = profile.MarkerLayout
		}
		if i%500 == 100 {
			b.Mark(profile.Mark{What: profile.Interaction, Name: "click", Target: "button#save", Time: time.Duration(now), Duration: 300 * time.Millisecond, Processing: 280 * time.Millisecond})
			b.Mark(profile.Mark{What: profile.LongTask, Name: "ticks", Time: time.Duration(now), Duration: 280 * time.Millisecond})
			b.Mark(profile.Mark{What: profile.UserMark, Name: "begun", Time: time.Duration(now)})
		}
		b.Sample(s)
		now += int64(s.Weight) * int64(b.Meta.Interval)
	}
	return b.Profile()
}

// node is what V8 wrote of a program in Node.
func node(t *testing.T) *profile.Profile {
	t.Helper()
	return must.Get(format.ReadFile("../../profile/format/cpuprofile/testdata/node.cpuprofile"))(t)
}

// profiles are what every viewer is shown.
func profiles(t *testing.T) map[string]*profile.Profile {
	return map[string]*profile.Profile{"recording": recording(), "node": node(t)}
}

func TestSpeedscope(t *testing.T) {
	fixtures.EnsureIn(t, ".")
	for name, p := range profiles(t) {
		for _, ext := range []string{".speedscope.json", ".cpuprofile", ".pb.gz", ".folded", ".trace.json"} {
			t.Run(name+ext, func(t *testing.T) {
				path := written(t, p, ext)
				got := run(t, "speedscope.mjs", path)
				if ext == ".speedscope.json" && got.Schema != "valid" {
					t.Errorf("its schema says %s", got.Schema)
				}
				compare(t, p, got)
			})
		}
	}
}

func TestSentry(t *testing.T) {
	fixtures.EnsureIn(t, ".")
	for name, p := range profiles(t) {
		t.Run(name, func(t *testing.T) {
			got := run(t, "sentry.mjs", written(t, p, ".sentry.json"))
			if got.Schema != "valid" {
				t.Errorf("its rules say %s", got.Schema)
			}
			compare(t, p, got)
		})
	}
}

func TestDevToolsTrace(t *testing.T) {
	fixtures.EnsureIn(t, "../../profile/format/cpuprofile/testdata/oracle")
	for name, p := range profiles(t) {
		t.Run(name, func(t *testing.T) {
			got := run(t, bundle(t), written(t, p, ".trace.json"))
			if got.Calls == 0 {
				t.Error("no call is shown on a thread")
			}
			compare(t, p, got)
		})
	}
}

// TestDevToolsMarks has DevTools' own handlers find the marks of a trace that we write,
// also marks that have the names of other events.
func TestDevToolsMarks(t *testing.T) {
	const ms = time.Millisecond
	fixtures.EnsureIn(t, "../../profile/format/cpuprofile/testdata/oracle")
	b := profile.Builder{Meta: profile.Meta{Interval: 10 * ms, Start: time.UnixMicro(1_790_000_000_000_000).UTC()}}
	f := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f", File: "a.js", Line: 1, Column: 1}), 0, 0))
	for i := range 50 {
		b.Sample(profile.Sample{Time: int64(time.Duration(i+1) * 10 * ms), Stack: f, Weight: 1})
	}
	for _, m := range []profile.Mark{
		{What: profile.Interaction, Name: "click", Target: "button#save", Time: 100 * ms, Duration: 310 * ms, InputDelay: 10 * ms, Processing: 280 * ms, Presentation: 20 * ms},
		{What: profile.LongTask, Name: "ticks", Time: 110 * ms, Duration: 280 * ms},
		{What: profile.Measure, Name: "<b>checkout</b>", Time: 200 * ms, Duration: 50 * ms},
		{What: profile.Measure, Name: "navigationStart", Time: 210 * ms, Duration: 10 * ms},
		{What: "ProfileChunk", Name: "RunTask", Time: 300 * ms},
	} {
		b.Mark(m)
	}
	got := run(t, bundle(t), written(t, b.Profile(), ".trace.json"))
	must.Equal(t, got.Marks, []string{"long-task: ticks 110+280", "measure: <b>checkout</b> 200+50", "measure: navigationStart 210+10", "ProfileChunk: RunTask 300",
		"click 100+310: 10, 280, 20"})
}

// TestForeign reads files of others, and compares with what their viewers say.
func TestForeign(t *testing.T) {
	fixtures.EnsureIn(t, ".")
	fixtures.EnsureIn(t, "../../profile/format/cpuprofile/testdata/oracle")
	p := must.Get(format.ReadFile("../../profile/format/pprof/testdata/go.pprof"))(t)
	t.Run("Go", func(t *testing.T) {
		compare(t, p, run(t, "speedscope.mjs", "../../profile/format/pprof/testdata/go.pprof"))
	})

	// Node's file by the other arithmetic: to the next sample.
	const file = "../../profile/format/cpuprofile/testdata/node.cpuprofile"
	data := must.Get(os.ReadFile(file))(t)
	p = must.Get(cpuprofile.ReadAs(bytes.NewReader(data), cpuprofile.ToNext))(t)
	t.Run("Node", func(t *testing.T) { compare(t, withoutLast(p), run(t, "speedscope.mjs", file)) })

	// Chromium's trace, of a page and its worker.
	trace := unzipped(t, "../../profile/format/chrometrace/testdata/chromium.json.gz")
	p = must.Get(format.ReadFile(trace))(t)
	t.Run("Chromium in DevTools", func(t *testing.T) { compare(t, bridged(p), run(t, bundle(t), trace)) })

	// Where V8's clock ran backwards, DevTools and we put samples in order of time,
	// and speedscope does not: so without that.
	data = must.Get(os.ReadFile(trace))(t)
	data = regexp.MustCompile(`"timeDeltas":\[[^\]]*`).ReplaceAllFunc(data, func(list []byte) []byte {
		return regexp.MustCompile(`-\d+`).ReplaceAll(list, []byte("0"))
	})
	must.Do(t, os.WriteFile(trace, data, 0o644))
	p = must.Get(format.ReadFile(trace))(t)
	t.Run("Chromium in speedscope", func(t *testing.T) { compare(t, withoutLast(p), run(t, "speedscope.mjs", trace)) })
}

// withoutLast is a profile without its last sample, to which speedscope gives no
// time.
func withoutLast(p *profile.Profile) *profile.Profile {
	q, n := *p, p.Len()-1
	s := p.Samples
	q.Samples = profile.Samples{Time: s.Time[:n], Stack: s.Stack[:n], Weight: s.Weight[:n], Kind: s.Kind[:n], Skid: s.Skid[:n]}
	return &q
}

// bridged is a profile in which a lone (program) sample is part of the task around
// it, as DevTools shows it.
func bridged(p *profile.Profile) *profile.Profile {
	bottom := func(s profile.StackID) profile.FunctionID {
		for p.Stacks.Parent[s] != profile.NoStack {
			s = p.Stacks.Parent[s]
		}
		return p.Frames.Function[p.Stacks.Frame[s]]
	}
	inTask := func(i int) bool {
		return p.Samples.Kind[i] == profile.Own && p.Samples.Stack[i] != profile.NoStack
	}
	q := *p
	q.Samples.Stack = slices.Clone(p.Samples.Stack)
	for i := 1; i+1 < p.Len(); i++ {
		if p.Samples.Kind[i] == profile.Program && inTask(i-1) && inTask(i+1) && bottom(p.Samples.Stack[i-1]) == bottom(p.Samples.Stack[i+1]) {
			q.Samples.Stack[i] = p.Samples.Stack[i-1]
		}
	}
	return &q
}

func unzipped(t *testing.T, path string) string {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	z := must.Get(gzip.NewReader(file))(t)
	data := must.Get(io.ReadAll(z))(t)
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(path), ".gz"))
	must.Do(t, os.WriteFile(out, data, 0o644))
	return out
}

func written(t *testing.T, p *profile.Profile, ext string) string {
	t.Helper()
	f := must.Get(format.ForPath("a" + ext))(t)
	var b bytes.Buffer
	must.Do(t, f.Write(&b, p))
	path := filepath.Join(t.TempDir(), "app"+ext)
	must.Do(t, os.WriteFile(path, b.Bytes(), 0o644))
	return path
}

func run(t *testing.T, script, path string) (got seen) {
	t.Helper()
	cmd := exec.Command("node", script, path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", script, err, &stderr)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %v\n%.300s", script, err, out)
	}
	if len(got.Profiles) == 0 {
		t.Fatalf("%s finds no profile", script)
	}
	return got
}

// compare compares the shares of self time of the ten hottest functions that have
// names, among what both know: speedscope passes over (idle).
func compare(t *testing.T, p *profile.Profile, got seen) {
	t.Helper()
	ours := map[string]float64{}
	for _, r := range view.Flat(p) {
		ours[r.Name] += float64(r.Self)
	}
	theirs := got.Profiles[0].Self
	mine, others := shares(ours), shares(theirs)
	hottest := make([]string, 0, len(mine))
	for name := range mine {
		if !strings.HasPrefix(name, profile.DisplayAnonymous) && !strings.HasPrefix(name, profile.DisplayTopLevel) {
			hottest = append(hottest, name)
		}
	}
	slices.SortFunc(hottest, func(a, b string) int { return cmp.Or(cmp.Compare(mine[b], mine[a]), cmp.Compare(a, b)) })
	if len(hottest) < 3 {
		t.Fatalf("only %v", hottest)
	}
	for _, name := range hottest[:min(10, len(hottest))] {
		if math.Abs(mine[name]-others[name]) > 0.1 {
			t.Errorf("%s: %.3f %% there, %.3f %% here", name, others[name], mine[name])
		}
	}
}

// shares are percentages of what is neither idle nor nameless to one side.
func shares(self map[string]float64) map[string]float64 {
	all := 0.0
	for name, v := range self {
		if name != profile.NameIdle && name != profile.NameRoot {
			all += v
		}
	}
	out := map[string]float64{}
	for name, v := range self {
		if name != profile.NameIdle && name != profile.NameRoot && v > 0 {
			out[name] = 100 * v / all
		}
	}
	return out
}

// bundle makes one script of DevTools' model, once.
func bundle(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "devtools.mjs")
	r := api.Build(api.BuildOptions{EntryPoints: []string{"devtools.ts"}, Bundle: true, Write: true, Outfile: out,
		Format: api.FormatESModule, Platform: api.PlatformNode, Plugins: []api.Plugin{withoutLocales}})
	if len(r.Errors) > 0 {
		t.Fatalf("%+v", r.Errors[0])
	}
	return out
}

// withoutLocales replaces the one module that DevTools' own build makes.
var withoutLocales = api.Plugin{Name: "locales", Setup: func(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: `/locales\.js$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: "locales", Namespace: "locales"}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "locales"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
		contents := `export const LOCALES = ['en-US'], BUNDLED_LOCALES = ['en-US'], DEFAULT_LOCALE = 'en-US', REMOTE_FETCH_PATTERN = '', LOCAL_FETCH_PATTERN = '';`
		return api.OnLoadResult{Contents: &contents}, nil
	})
}}
