package interactions

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/slices"
	"github.com/fieldprof/fieldprof/profile/symbols"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

// A slice that was saved is the same slice to `instrument slices`, and the source maps of
// the build lead to the sources.
func TestSavedSlices(t *testing.T) {
	s := serveShop(t, transform.Balanced, true)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := s.visit(t, b, "")
		var explained []string
		for range repetitions {
			click(t, page, "basket")
			for _, one := range await(t, page) {
				p, _, err := format.Read(bytes.NewReader(one.Slice.Trace), "slice.json")
				must.Do(t, err)
				found := must.Get(symbols.Find(p, []string{s.folder}, nil))(t)
				read := slices.Of(found.Symbolize(p, true), slices.Options{Page: s.url})
				if len(read) == 0 {
					t.Fatalf("no slice is read of %v", &one)
				}
				text := read[0].Explain()
				if strings.Contains(text, "priceBasket (basket.ts:13") && strings.Contains(text, "onPrice (basket.ts:6") {
					return
				}
				explained = append(explained, text)
			}
		}
		t.Errorf("no slice leads to the sources:\n%s", strings.Join(explained, "\n"))
	})
}
