package k6

import (
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// On Windows k6 opens C:\x\main.js, whose URL is file:///C:/x/main.js: what it opens lacks the
// first separator of the URL.
func TestPathsWithoutTheirFirstSeparator(t *testing.T) {
	s := &session{scripts: map[string]bool{}, paths: map[string]string{}}
	s.addMain("/C:/x", "main.js")
	name, is := s.script("C:/x/main.js")
	must.Equal(t, is, true, s.paths)
	must.Equal(t, name, "file:///C:/x/main.js")
	must.Equal(t, display(name), "C:/x/main.js")
	must.Equal(t, rooted("C:/x/main.js"), rooted("/C:/x/main.js"))
	must.Equal(t, display("file:///home/x/main.js"), "/home/x/main.js")
	must.Equal(t, display("file:///c:x/main.js"), "/c:x/main.js")
}
