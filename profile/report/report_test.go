package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
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

// held is what a page holds: its head, and a reader of columns.
func held(t *testing.T, p *profile.Profile, options Options) (page string, c content, read func(column) []int) {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, p, options); err != nil {
		t.Fatal(err)
	}
	page = out.String()
	found := regexp.MustCompile(`id="content" data-head="(\d+)" data-size="(\d+)">([A-Za-z0-9+/=]+)</script>`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("the page has no content: %.1000s", page)
	}
	zip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(found[3])))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zip)
	if err != nil || fmt.Sprint(len(data)) != found[2] {
		t.Fatalf("%d bytes, want %s: %v", len(data), found[2], err)
	}
	head, err := strconv.Atoi(found[1])
	if err != nil || head%8 != 0 {
		t.Fatalf("a head of %s bytes: %v", found[1], err)
	}
	if err := json.Unmarshal(data[:head], &c); err != nil {
		t.Fatalf("%v: %.200s", err, data[:head])
	}
	return page, c, func(c column) (values []int) {
		for i := range c.Count {
			number := data[head+c.At+i*c.Bytes:][:c.Bytes]
			switch c.Bytes {
			case 1:
				values = append(values, int(number[0]))
			case 2:
				values = append(values, int(binary.LittleEndian.Uint16(number)))
			case 4:
				values = append(values, int(binary.LittleEndian.Uint32(number)))
			case 8:
				values = append(values, int(math.Float64frombits(binary.LittleEndian.Uint64(number))))
			}
		}
		return values
	}
}

// Whatever a profile calls things, the page has its two scripts and one style.
func TestNothingLeavesTheContent(t *testing.T) {
	var b profile.Builder
	evil := `</script><script>alert(1)</script><!--<script>`
	for i, name := range []string{evil, "\u2028", "\x00", "\xff", "<!--", "]]>"} {
		f := b.Function(profile.Function{Name: name, File: evil, Line: int32(i)})
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Weight: 1})
	}
	page, c, _ := held(t, b.Profile(), Options{Title: evil, Before: b.Profile(), Source: func(string) (string, bool) { return evil, true }})
	if strings.Count(page, "<script") != 2 || strings.Count(page, "</script") != 2 || strings.Count(page, "<!--") != 0 {
		t.Errorf("something left the content: %.3000s", page)
	}
	if c.Profile.Title != evil || c.Sources[evil] != evil || c.Before == nil {
		t.Errorf("the content is %.500v", c)
	}
}

// WriteColumns writes what is in the page, and nothing around it.
func TestColumnsAreThePageContent(t *testing.T) {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f", File: "</script>"}), 1, 1)), Weight: 1})
	options := Options{Title: "<!--", Before: b.Profile(), Scale: 250, Notes: []string{"release 2 has no maps"}}
	page, c, _ := held(t, b.Profile(), options)
	var out bytes.Buffer
	if err := WriteColumns(&out, b.Profile(), options); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(page, text) || !strings.HasPrefix(text, "<script") || !strings.HasSuffix(text, "</script>\n") {
		t.Errorf("%.300s", text)
	}
	if c.Profile.Interval != 250 || !slices.Contains(c.Profile.About, "release 2 has no maps") {
		t.Errorf("a tick of %v ms; %q", c.Profile.Interval, c.Profile.About)
	}
}

// The clock that ran, and the losses with their causes, are on the page.
func TestAboutSaysWhatWasLost(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Clock: profile.ClockPolled, Notes: []string{"clock: no memory can be shared here", "<!--\x1b"}}}
	_, c, _ := held(t, b.Profile(), Options{})
	if got := strings.Join(c.Profile.About, "\n"); got != "0 ticks, 0 samples, clock: polled\nlost: clock: no memory can be shared here\nlost: <!--" {
		t.Errorf("%q", got)
	}
}

// The page says what the engine was doing, if the samples have markers.
func TestAboutSaysWhatTheEngineDid(t *testing.T) {
	var b profile.Builder
	for _, marker := range []profile.Marker{profile.MarkerLayout, profile.MarkerScript, profile.MarkerScript, profile.NoMarker} {
		b.Sample(profile.Sample{Stack: profile.NoStack, Weight: 2, Marker: marker})
	}
	_, c, _ := held(t, b.Profile(), Options{})
	if want := "the engine, by its markers: script 50.0 %, layout 25.0 %, not known 25.0 %"; !slices.Contains(c.Profile.About, want) {
		t.Errorf("%q", c.Profile.About)
	}
}

// The page lists marks with what is to blame, and the longest if there are too many.
func TestMarksAreListed(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond}}
	f := b.Function(profile.Function{Name: "work", File: "app.js", Line: 3, Flags: profile.Checked})
	for i := range int64(50) {
		b.Sample(profile.Sample{Time: (i + 1) * 1e6, Stack: b.Stack(profile.NoStack, b.Frame(f, 4, 1)), Weight: 1})
	}
	b.Mark(profile.Mark{What: profile.Interaction, Name: "click", Target: "button", Time: 0, Duration: 40 * time.Millisecond, Processing: 39 * time.Millisecond})
	for i := range maxMarks {
		b.Mark(profile.Mark{What: profile.UserMark, Name: fmt.Sprint(i) + strings.Repeat("é", maxText), Time: time.Duration(i)})
	}
	_, c, _ := held(t, b.Profile(), Options{})
	marks := c.Profile.Marks
	if len(marks) != maxMarks {
		t.Fatalf("%d marks", len(marks))
	}
	if longest := len(marks[1].Name); longest > maxText+len("…") {
		t.Errorf("a name of %d bytes", longest)
	}
	if m := marks[0]; m.End != 40 || m.What != "interaction" || m.Target != "button" || len(m.Parts) != 3 || m.Parts[1] != 39 || !strings.Contains(m.Said, "work (app.js:3)") {
		t.Errorf("%+v", m)
	}
}

func TestNothingIsNull(t *testing.T) {
	_, c, _ := held(t, (&profile.Builder{}).Profile(), Options{})
	if text, err := json.Marshal(c); err != nil || strings.Contains(string(text), "null") {
		t.Errorf("an empty profile: %s %v", text, err)
	}
}

func TestKinds(t *testing.T) {
	var b profile.Builder
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "(idle)"}), 0, 0)), Weight: 1}) // a program may call a method so
	b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "sort", Flags: profile.NativeCode}), 0, 0)), Weight: 1})
	for _, name := range []string{profile.NameIdle, profile.NameGC, profile.NameProgram, profile.NameLost, profile.NameNative} {
		b.Sample(profile.Sample{Stack: b.Pseudo(profile.NoStack, name), Weight: 1})
	}
	_, c, read := held(t, b.Profile(), Options{})
	want := []kind{scriptKind, nativeKind, idleKind, collectorKind, programKind, lostKind, nativeKind}
	if got := read(c.Profile.Functions.Kind); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("kinds %v, want %v", got, want)
	}
}

// Times come as gaps, and add up to those of the samples, however long nothing was
// sampled.
func TestTimes(t *testing.T) {
	var b profile.Builder
	for _, at := range []int64{1500, 2499, 1e9 + 1, 1e9 + 8e12} {
		b.Sample(profile.Sample{Time: at, Stack: profile.NoStack, Kind: profile.Idle, Weight: 1})
	}
	_, c, read := held(t, b.Profile(), Options{})
	if got := read(c.Profile.Samples.Time); fmt.Sprint(got) != "[1 1 999998 8000000000]" {
		t.Errorf("times %v", got)
	}
}

// An axis that would be empty for the most part begins with the first sample or mark.
func TestAxisBegins(t *testing.T) {
	for _, c := range []struct {
		from, want time.Duration
	}{{time.Hour, 0}, {30 * time.Millisecond, 30 * time.Millisecond}} {
		b := profile.Builder{Meta: profile.Meta{Interval: 10 * time.Millisecond}}
		for i := range 4 {
			b.Sample(profile.Sample{Time: int64(c.from) + int64(i+1)*20e6, Stack: profile.NoStack, Kind: profile.Idle, Weight: 2})
		}
		b.Mark(profile.Mark{What: profile.UserMark, Time: c.from})
		_, in, read := held(t, b.Profile(), Options{})
		must.Equal(t, in.Profile.Marks[0].Start, milliseconds(c.want))
		must.Equal(t, fmt.Sprint(read(in.Profile.Samples.Time)), fmt.Sprintf("[%d 20000 20000 20000]", (c.want+20*time.Millisecond).Microseconds()))
		said := "times here count from 1h0m0s after the start"
		must.Equal(t, slices.Contains(in.Profile.About, said), c.want == 0, in.Profile.About)
	}
}

// Stacks of the same functions are one node, wherever execution was; nodes come
// the heaviest first; and none is there without samples.
func TestCalls(t *testing.T) {
	var b profile.Builder
	frame := func(name string, line int32) profile.FrameID {
		return b.Frame(b.Function(profile.Function{Name: name, File: "a.js"}), line, 1)
	}
	stack := func(frames ...profile.FrameID) profile.StackID {
		at := profile.NoStack
		for _, f := range frames {
			at = b.Stack(at, f)
		}
		return at
	}
	light := stack(frame("main", 3), frame("light", 7))
	stack(frame("main", 3), frame("never", 7))
	heavy, elsewhere := stack(frame("main", 4), frame("heavy", 8)), stack(frame("main", 3), frame("heavy", 9))
	for i, s := range []profile.StackID{light, heavy, elsewhere, stack(frame("main", 5)), profile.NoStack} {
		b.Sample(profile.Sample{Time: int64(i), Stack: s, Weight: int32(1 + i%2*300)})
	}
	_, c, read := held(t, b.Profile(), Options{})
	var tree []string
	depth, fn, name := read(c.Profile.Nodes.Depth), read(c.Profile.Nodes.Function), read(c.Profile.Functions.Name)
	for i := range depth {
		tree = append(tree, fmt.Sprintf("%d %s", depth[i], c.Profile.Strings[name[fn[i]]]))
	}
	if got := strings.Join(tree, ", "); got != "0 main, 1 heavy, 1 light" {
		t.Errorf("nodes %s", got)
	}
	s := c.Profile.Samples
	for what, test := range map[string]struct {
		column column
		want   string
	}{"nodes": {s.Node, "[3 2 2 1 0]"}, "lines": {s.Line, "[7 8 9 5 0]"}, "weights": {s.Weight, "[1 301 1 301 1]"}} {
		if got := fmt.Sprint(read(test.column)); got != test.want {
			t.Errorf("%s of samples: %s, want %s", what, got, test.want)
		}
	}
}

// A recursion may be as deep as it likes.
func TestDeepStacks(t *testing.T) {
	var b profile.Builder
	f := b.Frame(b.Function(profile.Function{Name: "again"}), 1, 1)
	at := profile.NoStack
	for range 300_000 {
		at = b.Stack(at, f)
	}
	b.Sample(profile.Sample{Stack: at, Weight: 1})
	_, c, read := held(t, b.Profile(), Options{})
	if depth := read(c.Profile.Nodes.Depth); len(depth) != 300_000 || depth[299_999] != 299_999 {
		t.Errorf("%d nodes", len(depth))
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
	_, c, _ := held(t, b.Profile(), Options{Source: source})
	if _, there := c.Sources["0.js"]; there || len(c.Sources) != maxSources/MaxSource {
		t.Errorf("%d sources", len(c.Sources))
	}
}

// Functions that hold others' time are marked, in both profiles of a comparison alike.
func TestHoldersAreMarked(t *testing.T) {
	build := func(flags profile.Flags) *profile.Profile {
		var b profile.Builder
		b.Sample(profile.Sample{Stack: b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "f", Flags: flags}), 0, 0)), Weight: 1})
		return b.Profile()
	}
	before := build(0)
	_, c, _ := held(t, build(profile.HoldsOthers), Options{Before: before})
	for _, p := range []columns{c.Profile, *c.Before} {
		if !slices.Contains(p.Strings, "f +") || !slices.Contains(p.About, legend) {
			t.Errorf("%q, %q", p.Strings, p.About)
		}
	}
	if _, c, _ = held(t, before, Options{}); slices.Contains(c.Profile.About, legend) {
		t.Errorf("%q", c.Profile.About)
	}
}
