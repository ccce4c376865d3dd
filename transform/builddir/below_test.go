package builddir

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Paths of a tree lead nowhere else, by the rules of every system.
func TestBelowRoot(t *testing.T) {
	for p, want := range map[string]struct{ elsewhere, windows bool }{
		"a.js": {true, true}, "a/b.js": {true, true}, "...": {true, false}, "a..b/c..js": {true, true}, "common/lpt.js": {true, true}, "com10.js": {true, true}, "console.js": {true, true},
		"": {}, "/a": {}, "../a": {}, "a/../b": {}, "a/..": {}, "./a": {}, "a//b": {}, "a/": {}, ".": {}, "..": {}, "a\x00b": {},
		`..\a`: {true, false}, `a\..\..\b`: {true, false}, `a/..\../b`: {true, false}, `\a`: {true, false}, `\\host\share\a`: {true, false}, "C:a": {true, false}, "C:/a": {true, false}, `C:\a`: {true, false},
		"a.js:stream": {true, false}, "NUL": {true, false}, "con.js": {true, false}, "a/Aux.js.map": {true, false}, "COM1": {true, false}, "lpt³.js": {true, false}, "com9 .js": {true, false},
		"a./b": {true, false}, "a /b": {true, false}, "..  /b": {true, false}, ".. ./b": {true, false}, "a.js.": {true, false},
	} {
		if got := belowRoot(p, false); got != want.elsewhere {
			t.Errorf("%q: %t", p, got)
		}
		if got := belowRoot(p, true); got != want.windows {
			t.Errorf("%q in Windows: %t", p, got)
		}
		if belowRoot(p, runtime.GOOS == "windows") && !filepath.IsLocal(filepath.FromSlash(p)) {
			t.Errorf("%q is no local path here", p)
		}
	}
	must.Refuse(newInputMemory([]File{{Path: "../a.js"}}))(t, "not the path of a file below the root")
}
