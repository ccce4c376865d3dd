package collect

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/collect/field"
	"github.com/fieldprof/fieldprof/test/collect/running"
)

// Profiles from the pages of a minified shop arrive under the names of its sources, although the
// maps are uploaded later: functions, and the causes of slow parts.
func TestShopInTheField(t *testing.T) {
	c := running.Start(t)
	shop := must.Get(field.Open(t.Context(), t.TempDir(), c.URL+"/v1/profiles?key="+running.Key))(t)
	t.Cleanup(shop.Close)
	browsers := map[string]string{"chromium": "Chrome", "firefox": "Firefox", "webkit": "Safari"}
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		session := must.Get(browser.Start(b.Name))(t)
		for _, slow := range []bool{false, true} {
			must.Do(t, shop.Visit(session, slow))
		}
		where := []string{"where", "browser:" + browsers[b.Name]}
		running.Await(c, running.Question("overview", append(where, "by", "release,route")...), func(o *answer.Overview) bool {
			return len(o.Rows) > 0 && o.Rows[0].Labels["release"] == field.Release && o.Rows[0].Views > 0
		})
	})
	c.Upload(field.Release, shop.Dir)
	running.Await(c, running.Question("functions", "limit", "100"), func(f *answer.Functions) bool {
		return slices.ContainsFunc(f.Functions, func(row answer.FunctionRow) bool {
			return row.Name == "filterProducts" && strings.HasSuffix(row.File, "src/causes/filter.ts") && row.Line > 0
		})
	})
	running.Await(c, running.Question("slices", "what", "interaction"), func(s *answer.Slices) bool {
		return slices.ContainsFunc(s.Slices, func(row answer.SliceRow) bool {
			cause, ok := causes[row.Target]
			return ok && row.Cause != nil && row.Cause.Name == cause.function && strings.Contains(row.Why, cause.file)
		})
	})
}

// causes of slow clicks, in the shop's own sources. A page sends a random choice of its slices.
var causes = map[string]struct{ function, file string }{
	"button#align":   {"alignRows", "layout.ts"},
	"button#basket":  {"priceBasket", "basket.ts"},
	"button#filter":  {"filterProducts", "filter.ts"},
	"button#history": {"copyHistory", "history.ts"},
	"button#index":   {"rebuildIndex", "search.ts"},
	"button#load":    {"readCatalogue", "catalogue.ts"},
	"button#sort":    {"sortProducts", "sort.ts"},
}
