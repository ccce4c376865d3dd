package symbols

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Whatever a source is called, its name stays a path below some folder.
func FuzzInside(f *testing.F) {
	for _, name := range []string{"src/app.ts", "../../etc/passwd", "file:///etc/passwd", `C:\Windows`, `\\host\share`, "a:b:c:/x", "x\x00/..", "/", "", "://../..", "C:D:/x"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := inside(name)
		if strings.HasPrefix(got, "/") || strings.ContainsAny(got, "\\\x00") || slices.Contains(strings.Split(got, "/"), "..") ||
			len(got) > 1 && got[1] == ':' {
			t.Errorf("%q is called %q", name, got)
		}
		must.Equal(t, inside(got), got, name)
	})
}
