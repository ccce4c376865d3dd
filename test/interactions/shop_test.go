package interactions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/interactions/site"
	"github.com/fieldprof/fieldprof/transform"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// shop is the served site.
type shop struct {
	url, offers string
	folder      string // of its own files
}

func serveShop(t *testing.T, preset transform.Preset, everyone bool) shop {
	t.Helper()
	built := must.Get(site.Build(t.Context(), t.TempDir(), site.Options{Preset: preset, Elsewhere: everyone}))(t)
	elsewhere := browser.Serve(t, browser.Site{Files: os.DirFS(built.Elsewhere), Header: http.Header{"Access-Control-Allow-Origin": {"*"}}})
	own := browser.Serve(t, browser.Site{Files: os.DirFS(built.Own), Handler: http.HandlerFunc(serveVitals)})
	return shop{own.URL + "/index.html", elsewhere.URL + "/offers.js", built.Own}
}

// visit opens the shop, which observes with these options.
func (s shop) visit(t *testing.T, b *browser.Browser, options string) *browser.Page {
	t.Helper()
	page := b.Open(s.url)
	page.Wait("window.ready")
	page.Eval(fmt.Sprintf("begin({ elsewhere: %q, %s })", s.offers, options))
	return page
}

// click clicks on a button as a person does.
func click(t *testing.T, page *browser.Page, id string) {
	t.Helper()
	at := must.JSON[[2]int](t, page.Eval(fmt.Sprintf("middle(%q)", id)))
	page.Click(at[0], at[1])
}

// taken is a slice with what the page makes of it.
type taken struct {
	Slice struct {
		What, Name, Target                   string
		Start, Duration                      float64
		InputDelay, Processing, Presentation *float64
		Unknown                              []string
		Trace                                json.RawMessage
	}
	Blame struct {
		Functions []struct {
			Name, URL, Group string
			Self, Total      float64
		}
		Groups map[string]float64
	}
	Text     string
	Problems []string
}

// first is the function that the slice blames most, "" if none.
func (s *taken) first() string {
	if len(s.Blame.Functions) == 0 {
		return ""
	}
	return s.Blame.Functions[0].Name
}

func (s *taken) String() string {
	var functions strings.Builder
	for _, f := range s.Blame.Functions[:min(4, len(s.Blame.Functions))] {
		fmt.Fprintf(&functions, " %s(%.0f of %.0f, %s)", f.Name, f.Self, f.Total, f.Group)
	}
	return fmt.Sprintf("%s %s %s of %.0f ms:%s; %v; %q; unknown %q", s.Slice.What, s.Slice.Name, s.Slice.Target, s.Slice.Duration, functions.String(), s.Blame.Groups, s.Text, s.Slice.Unknown)
}

// await waits for slices and gives those that have come. One that is not as slices are
// fails the test.
func await(t *testing.T, page *browser.Page) []taken {
	t.Helper()
	page.Wait("slices.length > 0")
	all := must.JSON[[]taken](t, page.Eval("taken()"))
	for i := range all {
		for _, p := range all[i].Problems {
			t.Errorf("%v: %s", &all[i], p)
		}
	}
	return all
}
