package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/test/browser"
)

// bundled is a profile of functions that share few names, files and positions.
func bundled(random *rand.Rand) *profile.Profile {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond}}
	for range 12 {
		f := profile.Function{Name: pick("", "", "f"), File: pick("app.js", "https://a.example/b.js", "https://a.example/b.js?v=1", "https://a.example/b.js?v=2"),
			Line: 1, Column: 1 + random.Int32N(40)}
		id := b.Function(f)
		if random.IntN(4) == 0 {
			continue // one that no sample is of
		}
		stack := b.Stack(profile.NoStack, b.Frame(id, 1, 1))
		if random.IntN(3) == 0 {
			stack = b.Stack(stack, b.Frame(id, 1, 2)) // a recursion
		}
		b.Add(profile.Sample{Time: int64(b.Len()) * int64(time.Millisecond), Stack: stack}, 1+random.Int64N(100))
	}
	return b.Profile()
}

// unsigned leaves no sign before a zero, however it came about.
var unsigned = strings.NewReplacer("-0.0", "0.0", "−0.0", "0.0", "+0.0", "0.0", "±0.0", "0.0", "-", "−")

// A report finds a function in the other profile where the diff does: the functions of a
// bundle share their names, files and lines.
func TestComparisonMatchesAsDiff(t *testing.T) {
	files, want := fstest.MapFS{}, map[string][]string{}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 6 {
		before, after := bundled(random), bundled(random)
		if i == 0 {
			before = after
		}
		name := fmt.Sprintf("%d.html", i)
		files[name] = page(t, after, report.Options{Before: before})
		for _, c := range view.Diff(before, after, view.DiffOptions{}).Functions {
			if c.Status == view.Gone {
				continue
			}
			want[name] = append(want[name], fmt.Sprintf("%s%s:%d %s", c.Name, c.File, c.Line, unsigned.Replace(fmt.Sprintf("%+.1f", c.Self.Change(false)))))
		}
	}
	site := browser.Serve(t, browser.Site{Files: files})
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		for name, want := range want {
			p := open(t, b, site.URL+"/"+name, "Functions")
			var got []string
			for _, row := range must.JSON[[][]string](t, p.Eval(table)) {
				got = append(got, row[3]+" "+unsigned.Replace(row[2]))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s:\n%q\nwant\n%q", name, got, want)
			}
		}
	})
}
