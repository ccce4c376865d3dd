package profile

import (
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		f    Function
		want string
	}{
		{Function{Name: "f"}, "f"},
		{Function{}, "(anonymous)"},
		{Function{File: "a b.js"}, "(anonymous) a b.js"},
		{Function{File: "https://x:8080/a.js", Line: 12}, "(anonymous) https://x:8080/a.js:12"},
		{Function{File: "a.js:07"}, "(anonymous) a.js:07"},
		{Function{Flags: TopLevel}, "(top level)"},
		{Function{File: "a.js", Flags: TopLevel}, "(top level) a.js"},
		{Function{Name: NameIdle, Flags: Pseudo}, "(idle)"},
	} {
		got := c.f.Label()
		must.Equal(t, got, c.want, c.f)
		must.Equal(t, ParseLabel(got), c.f, got)
	}
}
