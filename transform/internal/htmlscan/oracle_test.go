package htmlscan

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/must"
)

const oracleDir = "testdata/oracle"

// sample is a page for the oracle.
type sample struct {
	name string
	Text []byte `json:"text"`
}

// The oracle's words on a page. Attributes have their range with name and
// quotes.
type (
	oracleAttribute struct {
		Value      string
		Start, End int
	}
	oracleElement struct {
		Start, ContentStart, ContentEnd, End int

		Foreign, Inert bool
		Content        *string // nil for what is not HTML
		Attributes     map[string]oracleAttribute
	}
	oraclePage struct {
		Scripts, Links, Policies []oracleElement

		Base  *oracleAttribute
		Head  int  // after the head tag, -1 without
		Bytes bool // the page is not in UTF-8, and texts were not decoded
	}
)

// askOracle runs one process of the oracle over all pages and calls each with
// its answer, in order.
func askOracle(t testing.TB, samples []sample, each func(sample, oraclePage)) {
	t.Helper()
	must.AskNodeEach(t, samples, func(s sample, line []byte, _ *bufio.Reader) {
		var page oraclePage
		if err := json.Unmarshal(line, &page); err != nil {
			t.Fatalf("the oracle answered %.200q for %s: %v", line, s.name, err)
		}
		each(s, page)
	}, filepath.Join(oracleDir, "oracle.mjs"))
}

// differences lists where a scan and the oracle differ.
func differences(src []byte, got *Page, want oraclePage) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if len(got.Scripts) != len(want.Scripts) || len(got.Links) != len(want.Links) || len(got.Policies) != len(want.Policies) {
		say("%d scripts, %d links, %d policies; want %d, %d, %d", len(got.Scripts), len(got.Links), len(got.Policies),
			len(want.Scripts), len(want.Links), len(want.Policies))
		return all
	}
	for i, w := range want.Scripts {
		for _, d := range scriptDifferences(src, &got.Scripts[i], w, want.Bytes) {
			say("script %d at %d: %s", i, w.Start, d)
		}
	}
	for i, w := range want.Links {
		g := &got.Links[i]
		if g.Start != w.Start || g.End != w.End || g.Inert != w.Inert {
			say("link %d: %d-%d inert %v; want %d-%d %v", i, g.Start, g.End, g.Inert, w.Start, w.End, w.Inert)
		}
		for name, a := range map[string]*Attribute{"href": g.Href, "integrity": g.Integrity, "as": g.As, "nonce": g.Nonce, "crossorigin": g.CrossOrigin} {
			if d := attributeDifference(src, a, w.Attributes, name, want.Bytes); d != "" {
				say("link %d: %s", i, d)
			}
		}
	}
	for i, w := range want.Policies {
		g := &got.Policies[i]
		if d := attributeDifference(src, &g.Content, w.Attributes, "content", want.Bytes); d != "" || g.Start != w.Start || g.End != w.End || g.Inert != w.Inert {
			say("policy %d: %+v, want %+v", i, g, w)
		}
	}
	base := map[string]oracleAttribute{}
	if want.Base != nil {
		base["base"] = *want.Base
	}
	if d := attributeDifference(src, got.Base, base, "base", want.Bytes); d != "" {
		say("%s", d)
	}
	if want.Head >= 0 && got.HeadStart != want.Head {
		say("head starts at %d, want %d", got.HeadStart, want.Head)
	}
	return all
}

func scriptDifferences(src []byte, g *Script, w oracleElement, bytesOnly bool) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if g.Start != w.Start || g.ContentStart != w.ContentStart {
		say("start tag %d-%d, want %d-%d", g.Start, g.ContentStart, w.Start, w.ContentStart)
		return all
	}
	if closed := w.End > 0; closed && (!g.Closed || g.ContentEnd != w.ContentEnd || g.End != w.End) {
		say("content ends at %d, element at %d, closed %v; want %d, %d", g.ContentEnd, g.End, g.Closed, w.ContentEnd, w.End)
	} else if !closed && g.Closed && g.End != g.ContentStart {
		say("closed at %d, want it open", g.End)
	}
	if _, ok := w.Attributes["event"]; ok {
		w.Inert = w.Inert || g.Inert // parse5 does not know events
	}
	if g.Foreign != w.Foreign || g.Inert != w.Inert {
		say("foreign %v, inert %v; want %v, %v", g.Foreign, g.Inert, w.Foreign, w.Inert)
	}
	if w.Content != nil && !bytesOnly {
		if content := string(seen(src[g.ContentStart:g.ContentEnd])); content != *w.Content {
			say("content %q, want %q", content, *w.Content)
		}
	}
	found := map[string]*Attribute{"src": g.Src, "integrity": g.Integrity, "nonce": g.Nonce, "crossorigin": g.CrossOrigin}
	if g.Foreign {
		delete(found, "src")
		if _, ok := w.Attributes["href"]; ok {
			found["href"] = g.Src
		} else {
			found["xlink:href"] = g.Src
		}
	}
	for name, a := range found {
		if d := attributeDifference(src, a, w.Attributes, name, bytesOnly); d != "" {
			say("%s", d)
		}
	}
	for name, has := range map[string]bool{"async": g.Async, "defer": g.Defer, "nomodule": g.NoModule} {
		if _, want := w.Attributes[name]; has != want {
			say("%s %v, want %v", name, has, want)
		}
	}
	if typ := lower(strings.Trim(w.Attributes["type"].Value, space)); !bytesOnly && g.Type != typ {
		say("type %q, want %q", g.Type, typ)
	}
	return all
}

func attributeDifference(src []byte, got *Attribute, all map[string]oracleAttribute, name string, bytesOnly bool) string {
	want, ok := all[name]
	if ok != (got != nil) {
		return fmt.Sprintf("has %s: %v, want %v", name, got != nil, ok)
	}
	if got == nil {
		return ""
	}
	// parse5 takes the name for the whole when text follows the quotes at once.
	if next := src[got.AttrEnd]; got.Quote != 0 && !isSpace(next) && next != '/' && next != '>' && want.End == want.Start+len(name) {
		want.End = got.AttrEnd
	}
	// And it leaves = out where > follows it.
	if got.Quote == 0 && got.Start == got.End && want.End == want.Start+len(name) {
		want.End = got.AttrEnd
	}
	if !bytesOnly && got.Value != want.Value || got.AttrStart != want.Start || got.AttrEnd != want.End {
		return fmt.Sprintf("%s %q at %d-%d, want %q at %d-%d", name, got.Value, got.AttrStart, got.AttrEnd, want.Value, want.Start, want.End)
	}
	return ""
}

// realPages lists the pages in the oracle's packages.
func realPages(t testing.TB) (samples []sample) {
	t.Helper()
	must.Do(t, filepath.WalkDir(filepath.Join(oracleDir, "node_modules"), func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || !d.Type().IsRegular() || ext != ".html" && ext != ".htm" {
			return err
		}
		text, err := os.ReadFile(path)
		samples = append(samples, sample{path, text})
		return err
	}))
	return samples
}

// standardTests lists the inputs of html5lib's tests in the oracle's packages.
func standardTests(t testing.TB) (samples []sample) {
	t.Helper()
	root := filepath.Join(oracleDir, "node_modules", "html5", "test", "data")
	files := must.Get(filepath.Glob(filepath.Join(root, "tree-construction", "*.dat")))(t)
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		for i, test := range bytes.Split(append([]byte("\n"), text...), []byte("\n#data\n"))[1:] {
			page, rest, _ := bytes.Cut(test, []byte("\n#errors"))
			// A fragment is read in the place of an element, which no page is.
			if bytes.Contains(rest, []byte("\n#document-fragment")) {
				continue
			}
			name := fmt.Sprintf("%s #%d", filepath.Base(file), i)
			samples = append(samples, sample{name, page})
			// The page with a script in each place of it.
			for at := 0; at <= len(page); at++ {
				if at == len(page) || page[at] == '<' {
					probed := slices.Concat(page[:at], []byte("<script>1</script>"), page[at:])
					samples = append(samples, sample{fmt.Sprintf("%s, script at %d", name, at), probed})
				}
			}
		}
	}
	files = must.Get(filepath.Glob(filepath.Join(root, "tokenizer", "*.test")))(t)
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		var tests struct{ Tests []struct{ Input string } }
		must.Do(t, json.Unmarshal(text, &tests))
		for i, test := range tests.Tests {
			name := fmt.Sprintf("%s #%d", filepath.Base(file), i)
			// As it is, in a script and in an attribute.
			samples = append(samples, sample{name, []byte(test.Input)},
				sample{name + " in a script", []byte("<script>" + test.Input + "</script>")},
				sample{name + " in an attribute", []byte(`<script src="` + test.Input + `"></script><link rel=a href='` + test.Input + "'>")})
		}
	}
	return samples
}

// excepted says why a page may be read otherwise than by parse5, "" if it may
// not.
func excepted(src []byte) string {
	has := func(tag string) bool { return bytes.Contains(bytes.ToLower(src), []byte(tag)) }
	switch {
	case has("<frameset"):
		return "a frameset that comes late replaces the body, whose scripts have run by then"
	case has("<select") && (has("<svg") || has("<math")):
		return "parse5 drops svg and math in select, as the standard did before 2025"
	case has("<template") && has("<col>"):
		return "a template that begins with col drops scripts, which would be inert"
	}
	return ""
}

// compareAll holds scans of pages to the oracle, except for a tolerated number.
func compareAll(t *testing.T, samples []sample, tolerated int) {
	t.Helper()
	var scripts, links, size, differ int
	exceptions := map[string]int{}
	askOracle(t, samples, func(s sample, want oraclePage) {
		scripts += len(want.Scripts)
		links += len(want.Links)
		size += len(s.Text)
		all := differences(s.Text, Scan(s.Text), want)
		if len(all) == 0 {
			return
		}
		if reason := excepted(s.Text); reason != "" {
			exceptions[reason]++
			return
		}
		differ++
		report := t.Logf
		if differ > tolerated {
			report = t.Errorf
		}
		text := s.Text
		if len(text) > 400 {
			text = []byte("…")
		}
		report("%s: %s\n%q", s.name, strings.Join(all[:min(len(all), 5)], "\n"), text)
	})
	t.Logf("%d pages, %.1f MB, %d scripts, %d links compared", len(samples), float64(size)/1e6, scripts, links)
	for reason, n := range exceptions {
		t.Logf("%d differ: %s", n, reason)
		if n*100 > len(samples) {
			t.Errorf("%d of %d pages excepted: %s", n, len(samples), reason)
		}
	}
}

// TestParse5AgreesOnRealPages compares scans of whole packages.
func TestParse5AgreesOnRealPages(t *testing.T) {
	fixtures.EnsureIn(t, oracleDir)
	samples := realPages(t)
	if len(samples) < 500 {
		t.Fatalf("only %d pages to compare", len(samples))
	}
	compareAll(t, samples, 0)
}

// TestParse5AgreesOnStandardTests compares scans of what is odd in HTML.
func TestParse5AgreesOnStandardTests(t *testing.T) {
	fixtures.EnsureIn(t, oracleDir)
	samples := standardTests(t)
	if len(samples) < 5000 {
		t.Fatalf("only %d pages to compare", len(samples))
	}
	samples = slices.DeleteFunc(samples, func(s sample) bool { return !utf8.Valid(s.Text) })
	compareAll(t, samples, 0)
}

// TestParse5AgreesOnSoup compares scans of tags thrown together, which is odder
// than any page.
func TestParse5AgreesOnSoup(t *testing.T) {
	fixtures.EnsureIn(t, oracleDir)
	random := rand.New(rand.NewPCG(1, 2))
	tags := strings.Fields(`<b> </b> <p> </p> <div> </div> <span> </span> <a> </a> <table> </table> <tr> </tr> <td> </td> <tbody>
		<caption> </caption> <li> </li> <ul> </ul> <h1> </h1> <h2> <svg> </svg> <svg/> <g> </g> <title> </title> <desc> </desc>
		<foreignObject> </foreignObject> <math> </math> <mi> </mi> <annotation-xml> <annotation-xml\tencoding=text/html>
		</annotation-xml> <mglyph> <template> </template> <template\tshadowrootmode=open> <form> </form> <button> </button>
		<object> </object> <textarea> </textarea> <style> </style> <noscript> </noscript> <!-- --> --!> <![CDATA[ ]]> <br> </br>
		<img> <font> <font\tcolor=a> </font> <head> </head> <body> </body> <html> </html> <option> <optgroup> <dd> <dt> </dd>
		<link\trel=a\thref=b> <base\thref=c> <meta\tcharset=d> <script> </script> <script/> <script\tsrc='a&amp;b'> <!--<script>`)
	var samples []sample
	for i := range 20000 {
		var page strings.Builder
		for range 1 + random.IntN(25) {
			if random.IntN(6) == 0 {
				page.WriteString("<script>x</script>")
			}
			page.WriteString(strings.ReplaceAll(tags[random.IntN(len(tags))], `\t`, " "))
		}
		samples = append(samples, sample{fmt.Sprintf("soup %d", i), []byte(page.String())})
	}
	// Some need the formatting elements that the standard opens again.
	compareAll(t, samples, len(samples)/5000)
}
