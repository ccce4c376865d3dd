package builddir

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The plugin for Vite gives the manifests in the public folder to the service, and must know all of them.
func TestPluginKnowsManifests(t *testing.T) {
	text := string(must.Get(os.ReadFile("../../npm/unplugin/src/public.ts"))(t))
	_, list, _ := strings.Cut(text, "const holding = [")
	list, _, _ = strings.Cut(list, "];")
	var theirs []string
	for _, quoted := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(list, -1) {
		theirs = append(theirs, quoted[1])
	}
	ours := slices.Concat(holding, configuring)
	slices.Sort(theirs)
	slices.Sort(ours)
	if !slices.Equal(theirs, ours) {
		t.Errorf("the extensions in npm/unplugin/src/public.ts are %q, and here %q", theirs, ours)
	}
	if maxManifest != 16<<20 || !strings.Contains(text, "const maxManifest = 16 << 20;") {
		t.Error("npm/unplugin/src/public.ts has another maxManifest")
	}
}
