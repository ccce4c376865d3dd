package k6

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// On Windows k6 opens C:\x\main.js, whose URL is file:///C:/x/main.js: the path that it opens lacks the
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

// The documentation's command for a k6 of one's own replaces all modules that are in no
// registry.
func TestOwnK6(t *testing.T) {
	text := string(must.Get(os.ReadFile("../../docs/k6.md"))(t))
	line := regexp.MustCompile(`(?m)^    xk6 build .*$`).FindString(text)
	repository := must.Get(filepath.Abs("../.."))(t)
	folder := t.TempDir()
	module := "module own\n\ngo 1.26.0\n\nrequire github.com/fieldprof/fieldprof/ext/k6 v0.0.0\n"
	for _, word := range strings.Fields(line) {
		if path, at, found := strings.Cut(word, "=$REPO"); found {
			module += "replace " + path + " => " + repository + at + "\n"
		}
	}
	must.WriteTree(t, folder, map[string]string{
		"go.mod": module, "go.sum": string(must.Get(os.ReadFile("go.sum"))(t)),
		"main.go": "package main\n\nimport (\n\t\"go.k6.io/k6/cmd\"\n\n\t_ \"github.com/fieldprof/fieldprof/ext/k6\"\n)\n\nfunc main() { cmd.Execute() }\n",
	})
	must.Contain(t, "what it is built of", must.Run(t, folder, "go", "list", "-mod=mod", "-deps", "."), "github.com/fieldprof/fieldprof/gojahost/sobekhost")
}
