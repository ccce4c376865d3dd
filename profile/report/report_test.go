package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

func ExampleWrite() {
	b := profile.Builder{Meta: profile.Meta{Program: "app.js", Interval: time.Millisecond}}
	main := b.Function(profile.Function{Name: "main", File: "app.js", Line: 1})
	b.Sample(profile.Sample{Time: 1e6, Stack: b.Stack(profile.NoStack, b.Frame(main, 2, 1)), Weight: 1})

	var page bytes.Buffer
	if err := Write(&page, b.Profile(), Options{Title: "A program"}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.HasPrefix(page.String(), "<!doctype html>"), strings.Contains(page.String(), "<title>A program</title>"))
	// Output: true true
}

// held is what a page holds.
func held(t *testing.T, p *profile.Profile, options Options) (page string, c content) {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, p, options); err != nil {
		t.Fatal(err)
	}
	page = out.String()
	_, rest, _ := strings.Cut(page, `id="content">`)
	text, _, ok := strings.Cut(rest, "</script>")
	if !ok {
		t.Fatal("the page has no content")
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return page, c
}

// Whatever a profile calls things, the page has its two scripts and one style.
func TestNothingLeavesTheContent(t *testing.T) {
	var b profile.Builder
	evil := `</script><script>alert(1)</script><!--<script>`
	for i, name := range []string{evil, "\u2028", "\x00", "\xff", "<!--", "]]>"} {
		f := b.Function(profile.Function{Name: name, File: evil, Line: int32(i)})
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Weight: 1})
	}
	page, c := held(t, b.Profile(), Options{Title: evil, Before: b.Profile(), Source: func(string) (string, bool) { return evil, true }})
	if strings.Count(page, "<script") != 2 || strings.Count(page, "</script") != 2 || strings.Count(page, "<!--") != 0 {
		t.Errorf("something left the content: %.3000s", page)
	}
	if c.Profile.Title != evil || c.Sources[evil] != evil || c.Before == nil {
		t.Errorf("the content is %.500v", c)
	}
}

func TestNothingIsNull(t *testing.T) {
	page, _ := held(t, (&profile.Builder{}).Profile(), Options{})
	_, rest, _ := strings.Cut(page, `id="content">`)
	text, _, _ := strings.Cut(rest, "</script>")
	if strings.Contains(text, "null") {
		t.Errorf("an empty profile: %s", text)
	}
}

func TestKinds(t *testing.T) {
	var b profile.Builder
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "(idle)"}), 0, 0)), Weight: 1}) // a program may call a method so
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "sort", Flags: profile.NativeCode}), 0, 0)), Weight: 1})
	for _, name := range []string{profile.NameIdle, profile.NameGC, profile.NameProgram, profile.NameLost, profile.NameNative} {
		b.Sample(profile.Sample{Stack: b.Pseudo(profile.NoStack, name), Weight: 1})
	}
	_, c := held(t, b.Profile(), Options{})
	want := []kind{scriptKind, nativeKind, idleKind, collectorKind, programKind, lostKind, nativeKind}
	if fmt.Sprint(c.Profile.Functions.Kind) != fmt.Sprint(want) {
		t.Errorf("kinds %v, want %v", c.Profile.Functions.Kind, want)
	}
}

// Times come as gaps, and add up to those of the samples.
func TestTimes(t *testing.T) {
	var b profile.Builder
	for _, at := range []int64{1500, 2499, 1e9 + 1} {
		b.Sample(profile.Sample{Time: at, Stack: profile.NoStack, Kind: profile.Idle, Weight: 1})
	}
	_, c := held(t, b.Profile(), Options{})
	if fmt.Sprint(c.Profile.Samples.Time) != "[1 1 999998]" {
		t.Errorf("times %v", c.Profile.Samples.Time)
	}
}

// Sources are bounded, each and together.
func TestSourcesAreBounded(t *testing.T) {
	var b profile.Builder
	for i := range 20 {
		f := b.Function(profile.Function{Name: "f", File: fmt.Sprintf("%d.js", i)})
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Weight: 1})
	}
	size := MaxSource
	source := func(file string) (string, bool) {
		if file == "0.js" {
			return strings.Repeat("x", size+1), true
		}
		return strings.Repeat("x", size), true
	}
	_, c := held(t, b.Profile(), Options{Source: source})
	if _, there := c.Sources["0.js"]; there || len(c.Sources) != maxSources/MaxSource {
		t.Errorf("%d sources", len(c.Sources))
	}
}
