package htmlscan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/golden"
)

const pages = "testdata/golden/*.txtar"

// TestGolden scans each page of testdata/golden and compares what it finds, in
// the words of outline, with the section want.
func TestGolden(t *testing.T) {
	golden.Each(t, pages, func(t *testing.T, f golden.File) {
		f.Compare(t, 1, outline(f.Files[0].Data, Scan(f.Files[0].Data)))
	})
}

// TestParse5AgreesOnGoldenPages lets parse5 check the golden pages, too.
func TestParse5AgreesOnGoldenPages(t *testing.T) {
	fixtures.EnsureIn(t, oracleDir)
	compareAll(t, goldenPages(t), 0)
}

func goldenPages(t testing.TB) (samples []sample) {
	t.Helper()
	for _, f := range golden.Read(t, pages) {
		samples = append(samples, sample{f.Path, f.Files[0].Data})
	}
	return samples
}

// outline describes a page for people: texts instead of offsets.
func outline(src []byte, p *Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "head starts behind %s", tail(src, p.HeadStart))
	if p.Charset.Label != "" {
		fmt.Fprintf(&b, ", charset %s", p.Charset.Label)
	}
	if p.Handlers > 0 {
		fmt.Fprintf(&b, ", handlers %d", p.Handlers)
	}
	b.WriteString("\n")
	if p.Base != nil {
		fmt.Fprintf(&b, "base %s\n", spelled(src, p.Base))
	}
	for _, s := range p.Scripts {
		fmt.Fprintf(&b, "script: %s%s %s\n", s.Kind, flags(&s), quoted(src[s.ContentStart:s.ContentEnd]))
		if s.Before != s.Start {
			fmt.Fprintf(&b, "   in a shadow root after %s\n", tail(src, s.Before))
		}
		if s.Type != "" {
			fmt.Fprintf(&b, "   type %q\n", s.Type)
		}
		if end := string(src[s.ContentEnd:s.End]); s.Closed && lower(end) != "</script>" {
			fmt.Fprintf(&b, "   closed by %s\n", quoted([]byte(end)))
		}
		attributeLines(&b, src, "src", s.Src, "integrity", s.Integrity, "nonce", s.Nonce, "crossorigin", s.CrossOrigin)
	}
	for _, l := range p.Links {
		fmt.Fprintf(&b, "link: %s", strings.Join(l.Rel, " "))
		if l.Inert {
			b.WriteString(", inert")
		}
		b.WriteString("\n")
		attributeLines(&b, src, "href", l.Href, "integrity", l.Integrity, "as", l.As, "nonce", l.Nonce, "crossorigin", l.CrossOrigin)
	}
	for _, c := range p.Policies {
		fmt.Fprintf(&b, "policy: %s\n", spelled(src, &c.Content))
	}
	return b.String()
}

// flags names what is true of a script.
func flags(s *Script) (words string) {
	for _, flag := range []struct {
		is   bool
		word string
	}{
		{s.Async, " async"}, {s.Defer, " defer"}, {s.NoModule, " nomodule"}, {s.Foreign, " foreign"}, {s.Inert, " inert"}, {!s.Closed, " unclosed"},
	} {
		if flag.is {
			words += flag.word
		}
	}
	return words
}

// attributeLines describes attributes, given as names and values in turn.
func attributeLines(b *strings.Builder, src []byte, pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		if a := pairs[i+1].(*Attribute); a != nil {
			fmt.Fprintf(b, "   %s %s\n", pairs[i], spelled(src, a))
		}
	}
}

// spelled describes an attribute: its value, and its text in the source.
func spelled(src []byte, a *Attribute) string {
	return fmt.Sprintf("%q from %s", a.Value, quoted(src[a.AttrStart:a.AttrEnd]))
}

func quoted(text []byte) string { return "«" + strings.ReplaceAll(string(text), "\n", "⏎") + "»" }

func tail(src []byte, at int) string { return quoted(src[max(0, at-10):at]) }
