package instrumented

import (
	"fmt"
	"testing"

	"github.com/fieldprof/fieldprof/transform"
)

// Lines end as they do for engines, in the script and in the sources.
func TestPlacesAreFoundAcrossEveryLineBreak(t *testing.T) {
	for _, lineBreak := range []string{"\n", "\r", "\r\n", "\u2028", "\u2029"} {
		source := []byte("let a = 1" + lineBreak + "function f() { '😀'; return here }" + lineBreak)
		s, err := Make(source, transform.Options{File: "out.js", MapTo: "in.js", Keep: func(string) bool { return false }})
		if err != nil {
			t.Fatal(err)
		}
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
