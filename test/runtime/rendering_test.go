package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Style, layout and paint between two tasks belong to no function: their ticks do not fall on the
// next task's first checked function.
func TestRenderingIsNobodys(t *testing.T) {
	files := os.DirFS(browser.Instrument(t, builddir.Options{Input: filepath.Join("testdata", "rendering"), Selection: transform.Selection{Preset: transform.Balanced}}))
	for _, clock := range []string{"shared", "poll"} {
		t.Run(clock, func(t *testing.T) {
			site := browser.Serve(t, browser.Site{Files: files, Isolated: clock == "shared"})
			browser.Each(t, func(t *testing.T, b *browser.Browser) {
				if b.Name == "webkit" && clock == "shared" {
					t.Skip("WebKitGTK has no shared memory")
				}
				page := b.Open(site.URL + "/index.html")
				got := must.JSON[struct{ Nearest, Rendering, All float64 }](t, page.Eval(fmt.Sprintf(`measured(%q)`, clock)))
				t.Logf("%+v", got)
				if got.Rendering < 100 || got.All < 100 {
					t.Fatalf("too little was rendered or seen: %+v", got)
				}
				if got.Nearest > got.Rendering/20 || len(page.Errors()) > 0 {
					t.Errorf("the handler, which does next to nothing, has %v ticks of %v; errors %q", got.Nearest, got.Rendering, page.Errors())
				}
			})
		})
	}
}
