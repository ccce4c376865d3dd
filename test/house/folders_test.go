package house

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// CONTRIBUTING.md lists the folders at the top level, each with what is in it.
func TestFoldersAreListed(t *testing.T) {
	text := must.Get(os.ReadFile("../../CONTRIBUTING.md"))(t)
	_, layout, _ := strings.Cut(string(text), "\n## Layout\n")
	layout, _, _ = strings.Cut(layout, "\n## ")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)[/`]").FindAllStringSubmatch(layout, -1) {
		listed = append(listed, m[1])
	}
	entries := must.Get(os.ReadDir("../.."))(t)
	var folders []string
	for _, entry := range entries {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && entry.Name() != "node_modules" {
			folders = append(folders, entry.Name())
		}
	}
	slices.Sort(listed)
	if !slices.Equal(listed, folders) {
		t.Errorf("CONTRIBUTING.md lists the folders %q; there are %q", listed, folders)
	}
}
