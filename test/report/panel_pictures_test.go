package report

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/bench/pages"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/test/browser"
)

// The panel fits windows of three widths: nothing is wider than the window, and the views
// have room. Each browser has one width, or with FIELDPROF_FULL=1 all of them.
// FIELDPROF_SCREENSHOTS names a folder for pictures, and FIELDPROF_DARK=1 has them in the dark.
func TestPanelFits(t *testing.T) {
	stream := pages.NewStream(report.PanelOptions{Title: "shop", Site: "http://localhost:8080/", Formats: []string{"cpuprofile", "pprof", "html"}})
	empty := pages.NewStream(report.PanelOptions{Title: "shop", Site: "http://localhost:8080/"})
	show(t, stream)
	frames := fstest.MapFS{}
	widths := []int{1280, 820, 390}
	for _, width := range widths {
		frames[fmt.Sprintf("%d.html", width)] = &fstest.MapFile{Data: fmt.Appendf(nil, `<!doctype html><style>body { margin: 0; background: #888 } iframe { border: 0; width: %dpx; height: 860px; background: #fff; display: block }</style><iframe src="/__fieldprof/"></iframe>`, width)}
	}
	for name, from := range map[string]*pages.Stream{"live": stream, "empty": empty} {
		t.Cleanup(from.Cut)
		browser.Every(t, func(t *testing.T, b *browser.Browser) {
			for i, width := range widths {
				if b.Name != browser.Names()[i] && os.Getenv("FIELDPROF_FULL") == "" {
					continue
				}
				site := browser.Serve(t, browser.Site{Files: frames, Handler: http.Handler(from)}) // of another origin: in the same window
				p := b.Open(fmt.Sprintf("%s/%d.html", site.URL, width))
				p.Eval(`void (window.inside = () => document.querySelector("iframe").contentDocument)`)
				p.Wait(`inside().querySelector(".connection.open")`)
				tabs := []string{"Flame graph"}
				if name == "live" {
					p.Wait(`inside().querySelector(".stretch").textContent.endsWith("samples") && inside().querySelectorAll(".sources li").length > 4 && !inside().querySelector(".stretch").textContent.includes(", 0")`)
					tabs = []string{"Flame graph", "Functions", "Sandwich", "Top down", "Marks", "Time order"}
				}
				for _, tab := range tabs {
					p.Eval(fmt.Sprintf(`[...inside().querySelectorAll("[role=tab]")].find((tab) => tab.textContent === %q).click()`, tab))
					if tab == "Functions" {
						p.Eval(`inside().querySelectorAll("tr[data-fn]")[1].click()`)
					}
					var fits struct{ Wide, High int }
					if err := json.Unmarshal(p.Eval(`(() => { const { documentElement, body } = inside(); return { Wide: Math.max(documentElement.scrollWidth, body.scrollWidth), High: inside().querySelector("body.empty") ? inside().querySelector(".hint").clientHeight * 10 : inside().querySelector("main").clientHeight }; })()`), &fits); err != nil {
						t.Fatal(err)
					}
					if fits.Wide > width || fits.High < 300 {
						t.Errorf("%s, %s in %d pixels is %d wide, and the view %d high", name, tab, width, fits.Wide, fits.High)
					}
					for _, fault := range p.Faults() {
						t.Errorf("%s, %s, %d pixels: %s", name, tab, width, fault)
					}
					if folder := os.Getenv("FIELDPROF_SCREENSHOTS"); folder != "" {
						p.Screenshot(fmt.Sprintf("%s/%s-%s-%d-%s.png", folder, b.Name, name, width, strings.ReplaceAll(strings.ToLower(tab), " ", "-")))
					}
				}
				p.Close()
			}
		})
	}
}

// show has a stream with programs of all kinds and states.
func show(t *testing.T, stream *pages.Stream) {
	list := []live.Source{source("checkout"), source("cart"), source("search"), source("server"), source("rules")}
	list[0].Name, list[0].Samples = "Checkout – Shop", 12_000
	list[1].Name, list[1].State, list[1].Why, list[1].Interval = "Cart – Shop", "gone", "its page was left", 0
	list[2].What, list[2].Name, list[2].URL, list[2].Clock = "worker", "search.worker.js", "http://localhost:8080/assets/search.worker-4f2a91.js", "poll"
	list[3].What, list[3].Name, list[3].URL, list[3].State, list[3].Interval = "node", "server.js", "", "connected", 0
	list[4].What, list[4].Name, list[4].URL, list[4].State, list[4].Why = "goja", "rules.js", "", "lost", "no answer for 20 s"
	stream.Sources("first", list...)
	batches := batchesOf(t, pages.Program(12_000), "checkout", 4000)
	last := batches[len(batches)-1]
	last.Account = live.Account{Raised: 14_000, Taken: 9400, Idle: 3600, Program: 600, GC: 380, Lost: 20, Missed: 130}
	last.Marks = []live.Mark{
		{Time: 3_100_000, Duration: 412_000, What: "interaction", Name: "click", Detail: "button#pay"},
		{Time: 7_800_000, Duration: 96_000, What: "interaction", Name: "keydown", Detail: "input#search"},
		{Time: 3_120_000, Duration: 260_000, What: "long-task", Name: "long task"},
		{Time: 9_000_000, What: "mark", Name: "cart-rendered"},
		{Time: 9_500_000, What: "frame", Name: "frame", Detail: `{"route":"/checkout","items":3}`},
	}
	last.Notes = []string{"clock: this page is not cross-origin isolated, so checks read the clock"}
	for _, b := range batches {
		stream.Send(b)
	}
	for _, b := range batchesOf(t, pages.Chance(3000), "search", 4000) {
		stream.Send(b)
	}
}
