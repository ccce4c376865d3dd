package instrumented

import (
	"fmt"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
)

// Lines end as they do for engines, in the script and in the sources.
func TestPlacesAreFoundAcrossEveryLineBreak(t *testing.T) {
	for _, lineBreak := range []string{"\n", "\r", "\r\n", "\u2028", "\u2029"} {
		source := []byte("let a = 1" + lineBreak + "function f() { '😀'; return here }" + lineBreak)
		s := must.Get(Make(source, transform.Options{File: "out.js", MapTo: "in.js", Keep: func(string) bool { return false }}))(t)
		const column = 24 // of return, in bytes
		if got := s.Column(2, column); got != column-2 {
			t.Errorf("%q: column %d", lineBreak, got)
		}
		p := s.Place(2, s.Column(2, column))
		if got, want := p.String(), "in.js:2:22"; got != want {
			t.Errorf("%q: %s, want %s", lineBreak, got, want)
		}
		if got, want := fmt.Sprint(p.Text, p.Offset), "function f() { '😀'; return here }23"; got != want {
			t.Errorf("%q: the line is %q, want %q", lineBreak, got, want)
		}
	}
}

// Engines count U+2028 and U+2029 as line breaks, and so do the sources' lines.
func TestPlacesAfterLineSeparators(t *testing.T) {
	const code = "a;\u2028\"é😀\",b;\u2029c"
	script := must.Get(Plain("s.js", []byte(code), nil))(t)
	for _, c := range []struct {
		got    Place
		column int
		text   string
		offset int
	}{
		{script.Place(2, 7), 7, "\"é😀\",b;", 9},
		{script.Place(2, script.Column(2, 10)), 7, "\"é😀\",b;", 9},
		{script.Place(3, 1), 1, "c", 0},
	} {
		if c.got.Column != c.column || c.got.Text != c.text || c.got.Offset != c.offset {
			t.Errorf("want column %d, byte %d of %q; got %+v", c.column, c.offset, c.text, c.got)
		}
	}
	mapped := must.Get(Plain("s.js", []byte(code), sourcemap.Identity("s.js", "s.ts", textpos.Of([]byte(code)), nil, nil)))(t)
	if got := mapped.Place(3, 1); got.File != "s.ts" || got.Line != 3 || got.Text != "c" {
		t.Errorf("the source's mapped line is %q: %v", got.Text, got)
	}
}
