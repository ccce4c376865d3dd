package house

import (
	"slices"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A Go program that profiles its goja runtimes links what goja links, and little more.
func TestGojahostLinksFewModules(t *testing.T) {
	modules := goList(t, nil, "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./gojahost")
	modules = slices.DeleteFunc(modules, func(path string) bool { return path == "" })
	slices.Sort(modules)
	must.Equal(t, slices.Compact(modules), []string{
		"github.com/dlclark/regexp2/v2", "github.com/dop251/goja", "github.com/fieldprof/fieldprof", "github.com/go-sourcemap/sourcemap",
		"github.com/google/pprof", "github.com/tdewolff/parse/v2", "golang.org/x/sys", "golang.org/x/text",
	})
}
