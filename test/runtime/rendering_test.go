package runtime

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

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
				measured := func() (got struct{ Nearest, Rendering, All float64 }) {
					page := b.Open(site.URL + "/index.html")
					defer page.Close()
					must.Do(t, json.Unmarshal(page.Eval(fmt.Sprintf(`measured(%q)`, clock)), &got))
					if len(page.Errors()) > 0 {
						t.Errorf("errors %q", page.Errors())
					}
					return got
				}
				// A page that gets no processor within the handler reads that as the handler's; where rendering
				// were the handler's, it always would.
				got := measured()
				for end := time.Now().Add(must.Hang / 2); got.Nearest > got.Rendering/20 && time.Now().Before(end); {
					t.Logf("%+v", got)
					got = measured()
				}
				if got.Rendering < 100 || got.All < 100 {
					t.Fatalf("too little was rendered or seen: %+v", got)
				}
				if got.Nearest > got.Rendering/20 {
					t.Errorf("the handler, which does next to nothing, has %v ticks of %v", got.Nearest, got.Rendering)
				}
			})
		})
	}
}
