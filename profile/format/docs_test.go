package format

import (
	"os"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// docs/formats.md tells what each format keeps, and has a section on it.
func TestDocsTellTheFormats(t *testing.T) {
	text := must.Get(os.ReadFile("../../docs/formats.md"))(t)
	docs := string(text)
	for _, f := range All() {
		if !strings.Contains(docs, "\n## "+f.Name+"\n") {
			t.Errorf("%s has no section", f.Name)
		}
		keeps := f.Keeps.String()
		if keeps == "" {
			keeps = "names, stacks and ticks only"
		}
		row := ""
		for line := range strings.Lines(docs) {
			if strings.HasPrefix(line, "| `"+f.Name+"` |") {
				row = line
			}
		}
		if !strings.HasSuffix(row, "| "+keeps+" |\n") {
			t.Errorf("the row of %s is %q; it keeps %s", f.Name, row, keeps)
		}
		for _, ext := range f.Extensions {
			if !strings.Contains(row, "`"+ext+"`") {
				t.Errorf("the row of %s has no %s", f.Name, ext)
			}
		}
	}
}

// String lists features by their names: "times, samples, skid".
func (f Features) String() string {
	var all []string
	for i, name := range []string{"times", "samples", "weights", "skid", "kinds", "interval", "files", "definitions", "columns", "positions", "caller positions", "flags", "health", "marks", "markers", "tags"} {
		if f&(1<<i) != 0 {
			all = append(all, name)
		}
	}
	return strings.Join(all, ", ")
}
