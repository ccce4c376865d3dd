package report

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/bench/pages"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/test/browser"
)

// began is when sources began, in milliseconds since 1970.
const began = 1_700_000_000_000

// source is one that records.
func source(id string) live.Source {
	return live.Source{ID: id, What: "page", Name: "Shop " + id, URL: "http://localhost:8080/" + id, Engine: "a browser", State: "recording",
		Profile: 1, Began: began, Interval: 1, Clock: "shared", Clocks: []string{"shared", "poll"}}
}

// batchesOf is a profile as a source streams it, in batches of at most so many records, stacks and samples.
func batchesOf(t *testing.T, p *profile.Profile, id string, most int) []*live.Batch {
	t.Helper()
	batches, err := pages.BatchesOf(p, id, began, most)
	if err != nil {
		t.Fatal(err)
	}
	return batches
}

// watching is a panel in a browser with a stream of its own.
type watching struct {
	*browser.Page
	*pages.Stream
	t *testing.T
}

func watch(t *testing.T, b *browser.Browser, o report.PanelOptions, files http.Handler) watching {
	t.Helper()
	o.Token = "token of this run"
	stream := pages.NewStream(o)
	stream.Files = files
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{}, Handler: stream})
	t.Cleanup(stream.Cut)
	w := watching{b.Open(site.URL + "/__fieldprof/"), stream, t}
	w.Wait(`document.querySelector(".connection.open")`)
	return w
}

// samples waits until the panel shows so many.
func (w watching) samples(count int) {
	w.t.Helper()
	w.Wait(fmt.Sprintf(`document.querySelector(".stretch").textContent.endsWith(", %d samples")`, count))
}

func (w watching) show(tab string) {
	w.t.Helper()
	w.Eval(fmt.Sprintf(`[...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === %q).click()`, tab))
}

func (w watching) send(batches []*live.Batch) {
	for _, b := range batches {
		w.Send(b)
	}
}

func (w watching) noErrors() {
	w.t.Helper()
	if errors := w.Errors(); len(errors) > 0 {
		w.t.Errorf("errors: %q", errors)
	}
}

// rows finds the rows of tables and trees.
const rows = `[...document.querySelectorAll("main tr[role=row]")].map((tr) => (tr.getAttribute("aria-level") ?? "") + "|" + [...tr.cells].map((cell) => cell.textContent).join("|"))`

// steps go through a chart by keys, and give what each box is.
const steps = `["ArrowRight", "ArrowRight", "ArrowLeft", ...Array(12).fill("ArrowDown"), "ArrowRight", "ArrowUp", "ArrowRight"].map((key) => {
	document.querySelector("main canvas").dispatchEvent(new KeyboardEvent("keydown", { key }));
	return document.querySelector("main .said").textContent;
})`

// The same profile by stream and by file shows the same: whatever the batches, and with
// another source that is not shown.
func TestPanelShowsWhatTheReportShows(t *testing.T) {
	for name, p := range map[string]*profile.Profile{"sample": sample(0), "program": pages.Program(20_000)} {
		p = profile.Attribute(p, profile.BySite) // as streams have it: equal rows are in the order of functions
		p.Meta.Duration = 0                      // in a stream a tick is an interval, since its end is unknown
		file := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, p, report.Options{})}})
		t.Run(name, func(t *testing.T) {
			browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
				live := watch(t, b, report.PanelOptions{}, nil)
				live.Sources("first", source("a"), source("b"))
				other := batchesOf(t, pages.Chance(1000), "b", 100)
				for _, batch := range batchesOf(t, p, "a", 700) {
					live.Send(batch)
					if len(batch.Records) == 0 && len(other) > 0 { // equal rows are in the order in which functions came
						live.Send(other[0])
						other = other[1:]
					}
				}
				live.Wait(`document.querySelectorAll(".sources li").length === 2`)
				live.Eval(`document.querySelector(".sources input[value=b]").click()`)
				live.samples(p.Len())
				report := watching{Page: open(t, b, file.URL+"/report.html", "Functions"), t: t}
				for _, tab := range []string{"Functions", "Top down", "Bottom up", "Flame graph", "Time order"} {
					read := rows
					if tab == "Flame graph" || tab == "Time order" {
						read = steps
					}
					live.show(tab)
					report.show(tab)
					want, got := must.JSON[[]string](t, report.Eval(read)), must.JSON[[]string](t, live.Eval(read))
					if least := min(len(want), len(got)); read == rows && least >= 20 { // one has room for more
						want, got = want[:least], got[:least]
					}
					if len(want) == 0 || len(got) != len(want) {
						t.Errorf("%s: %d by stream, %d by file", tab, len(got), len(want))
						continue
					}
					for i := range want {
						if got[i] != want[i] {
							t.Errorf("%s, %d: by stream %q, by file %q", tab, i, got[i], want[i])
							break
						}
					}
				}
				live.noErrors()
			})
		})
	}
}

// While data comes in, the reader's choices stay: open rows, the active and the selected
// one, the scroll position, the search and the range.
func TestPanelKeepsWhatTheReaderChose(t *testing.T) {
	p := pages.Program(6000)
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{}, nil)
		w.Sources("first", source("a"))
		batches := batchesOf(t, p, "a", 1000)
		early, late := batches[:len(batches)-3], batches[len(batches)-3:]
		w.send(early)
		w.samples(3000)
		w.show("Top down")
		before := w.Eval(`(() => {
			const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
			document.querySelector("main tr[role=row]").focus();
			for (let i = 0; i < 60; i++) for (const key of ["ArrowRight", "ArrowDown"]) press(key);
			press("Enter");
			const find = document.querySelector("input[type=search]");
			find.value = "module1";
			find.dispatchEvent(new Event("input"));
			window.keeps = () => {
				const row = document.activeElement;
				return [row.querySelector(".name")?.textContent, row.getAttribute("aria-level"), row.getAttribute("aria-selected"), document.querySelector("input[type=search]").value].join();
			};
			window.opened = () => Number(document.querySelector("main table").getAttribute("aria-rowcount"));
			window.openedBefore = opened();
			return keeps();
		})()`)
		w.send(late[:2])
		w.samples(5000)
		if after := w.Eval(`keeps()`); string(after) != string(before) {
			t.Errorf("%s became %s", before, after)
		}
		if opened := w.Eval(`[openedBefore, opened()]`); !must.JSON[bool](t, w.Eval(`opened() >= openedBefore && openedBefore > 60`)) {
			t.Errorf("open rows: %s", opened)
		}
		if dim := w.Eval(`document.querySelectorAll("main tr.dim").length > 0`); string(dim) != "true" {
			t.Error("the search is forgotten")
		}
		w.show("Functions")
		w.Eval(`document.querySelector("main .table").scrollTop = 100`)
		w.send(late[2:])
		w.samples(6000)
		if scrolled := w.Eval(`document.querySelector("main .table").scrollTop`); string(scrolled) != "100" {
			t.Errorf("scrolled from 100 to %s", scrolled)
		}
		w.noErrors()
	})
}

// A range that is selected stays; the last seconds move on; all is all.
func TestPanelFollows(t *testing.T) {
	p := sample(0) // 1 s
	batches := func(t *testing.T) []*live.Batch { return batchesOf(t, p, "a", 100) }
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{}, nil)
		w.Sources("first", source("a"))
		all := batches(t)
		w.send(all[:len(all)-5])
		w.samples(500)
		w.Eval(`(() => {
			const [from, to] = document.querySelectorAll(".edges input");
			from.value = 200, to.value = 400, to.dispatchEvent(new Event("change"));
		})()`)
		const said = `document.querySelector(".stretch").textContent`
		if got := must.JSON[string](t, w.Eval(said)); got != "100 ms to 200 ms, 100 samples" {
			t.Errorf("selected: %q", got)
		}
		w.send(all[len(all)-5:])
		w.Wait(`Number(document.querySelectorAll(".edges input")[1].value) === 200`) // of a second now
		if got := must.JSON[string](t, w.Eval(said+` + " " + document.querySelector(".follow").value`)); got != "100 ms to 200 ms, 100 samples range" {
			t.Errorf("selected, and later: %q", got)
		}
		w.Eval(`document.querySelector(".timeline button").click()`)
		w.samples(1000)
		if got := must.JSON[string](t, w.Eval(`document.querySelector(".follow").value`)); got != "all" {
			t.Errorf("all is followed as %q", got)
		}
		w.Eval(`(() => { const follow = document.querySelector(".follow"); follow.value = "10"; follow.dispatchEvent(new Event("change")); })()`)
		long := p
		long.Meta.Start = time.Time{}
		later := batchesOf(t, long, "b", 1000)
		for _, batch := range later {
			if batch.Began != nil {
				batch.Began.Time = began + 60_000
			}
		}
		other := source("b")
		other.Began = began + 60_000
		w.Sources("first", source("a"), other)
		w.send(later)
		w.Wait(said + `.startsWith("51.00 s to 1.0 min, ")`)
		w.Eval(`document.querySelector(".sources input[value=a]").click()`) // the source that is left began a minute later
		w.samples(1000)
		w.Wait(said + `.startsWith("1.00 s, ")`)
		w.noErrors()
	})
}

// The reader's commands for the programs go to the server.
func TestPanelCommands(t *testing.T) {
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{Site: "http://localhost:1234/"}, nil)
		next := func(expression string) string {
			t.Helper()
			w.Eval(expression)
			text, err := json.Marshal(<-w.Heard)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if hint := must.JSON[string](t, w.Wait(`document.querySelector(".hint").textContent`)); !strings.Contains(hint, "http://localhost:1234/") || !strings.Contains(hint, "press Start") {
			t.Errorf("the hint is %q", hint)
		}
		one, two := source("a"), source("b")
		one.State = "connected"
		if got := next(`document.querySelector(".start").click()`); got != `{"interval":10,"type":"start"}` {
			t.Errorf("start: %s", got)
		}
		w.Sources("first", one, two)
		w.Wait(`document.querySelectorAll(".sources li").length === 2`)
		if got := next(`(() => { const [interval, clock] = document.querySelectorAll(".controls select"); interval.value = 2; clock.value = "poll"; document.querySelector(".sources button[value=a]").click(); })()`); got != `{"clock":"poll","interval":2,"sources":["a"],"type":"start"}` {
			t.Errorf("start of one: %s", got)
		}
		if got := next(`document.querySelector(".sources button[value=b]").click()`); got != `{"sources":["b"],"type":"stop"}` {
			t.Errorf("stop of one: %s", got)
		}
		if got := next(`document.querySelector(".controls button:nth-of-type(2)").click()`); got != `{"type":"stop"}` {
			t.Errorf("stop: %s", got)
		}
		if got := next(`[...document.querySelectorAll("header button")].find((button) => button.textContent === "Clear").click()`); got != `{"type":"clear"}` {
			t.Errorf("clear: %s", got)
		}
		w.Eval(`document.querySelectorAll(".sources input").forEach((box) => box.click())`)
		if got := w.Eval(`[...document.querySelectorAll(".controls button, header button")].filter(({ disabled }) => disabled).map(({ textContent }) => textContent)`); string(got) != `["Save","Clear","Start chosen","Stop chosen"]` {
			t.Errorf("without a source, disabled: %s", got)
		}
		w.noErrors()
	})
}

// Events of sources, of the connection and of the server are reported.
func TestPanelSaysWhatHappened(t *testing.T) {
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{}, nil)
		says := func(text string) {
			t.Helper()
			w.Wait(fmt.Sprintf(`document.querySelector(".notices").textContent.includes(%q)`, text))
		}
		first, second := source("a"), source("b")
		w.Sources("first", first)
		w.send(batchesOf(t, sample(0), "a", 1000))
		w.samples(1000)
		first.State, first.Why = "gone", "its page was left"
		second.After, second.Name = "a", "Shop again"
		w.Sources("first", first, second)
		says("Shop again was reloaded, and recording goes on.")
		second.Dropped = live.Dropped{Batches: 3, Ticks: 70}
		w.Sources("first", first, second)
		says("Shop again: 3 batches dropped (70 ticks)")
		w.Sources("second", first, second)
		says("The server was started again.")
		w.Cut()
		says("The connection is back.") // also when it was too fast to be read as lost
		w.samples(1000)                 // not twice
		w.Clear()
		w.Wait(`!document.querySelector(".hint").hidden`)
		w.send(batchesOf(t, sample(20), "a", 1000)) // all of it again, with the same numbers
		w.samples(1200)
		w.noErrors()
	})
}

// A server that was started again has another token. The panel fetches its page again,
// once: a token that is still refused is not tried forever.
func TestPanelReloadsForAnotherToken(t *testing.T) {
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{}, nil)
		w.Sources("first", source("a"))
		w.send(batchesOf(t, sample(0), "a", 1000))
		w.samples(1000)
		w.Restart("another token")
		w.Wait(`document.querySelector("meta[name=fieldprof-token]").content === "another token" && document.querySelector(".notices").textContent.includes("The server was started again.")`)
		w.samples(1000)
		w.noErrors()
	})
}

// Ticks by account, losses in words, and marks.
func TestPanelFigures(t *testing.T) {
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{}, nil)
		w.Sources("first", source("a"))
		batches := batchesOf(t, sample(0), "a", 2000)
		last := batches[len(batches)-1]
		last.Account = live.Account{Raised: 1000, Taken: 500, Idle: 300, Program: 100, GC: 50, Lost: 50, Missed: 20}
		last.Notes = []string{"<b>a note</b>"}
		last.Dropped = live.Dropped{Batches: 1, Ticks: 9}
		last.Marks = []live.Mark{
			{Time: 100_000, Duration: 50_000, What: "interaction", Name: "click"},
			{Time: 300_000, Duration: 200_000, What: "interaction", Name: "keydown", Detail: "#search"},
			{Time: 900_000, What: "frame", Name: "frame", Detail: `{"<i>":1}`},
			{Time: 400_000, Duration: 10_000, What: "measure", Name: "layout"},
		}
		w.send(batches)
		w.samples(1000)
		if got := must.JSON[string](t, w.Eval(`[...document.querySelectorAll(".figures dl div")].map((part) => part.textContent).join()`)); got != "script50.0 %,native0.0 %,program10.0 %,collector5.0 %,idle30.0 %,lost5.0 %" {
			t.Errorf("figures: %s", got)
		}
		said := must.JSON[string](t, w.Eval(`document.querySelector(".losses").textContent`))
		for _, want := range []string{"20 ticks missed", "50 ticks lost", "1 batch dropped with 9 ticks", "<b>a note</b>"} {
			if !strings.Contains(said, want) {
				t.Errorf("losses do not say %q: %q", want, said)
			}
		}
		w.show("Marks")
		got := must.JSON[[]string](t, w.Eval(rows))
		want := []string{"1|300 ms|200 ms|interaction|keydown#search", "1|100 ms|50 ms|interaction|click", `1|900 ms||frame data|frame{"<i>":1}`, "1|400 ms|10 ms|measure|layout"}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("marks: %q", got)
		}
		w.Eval(`document.querySelector("main tr[role=row]").click()`)
		if got := must.JSON[string](t, w.Eval(`document.querySelector(".stretch").textContent`)); !strings.HasPrefix(got, "300 ms to 500 ms, ") {
			t.Errorf("the worst shows %q", got)
		}
		w.noErrors()
	})
}

// The names of sources and their functions are text, whatever they are.
func TestPanelHostileNames(t *testing.T) {
	const evil = `</script><img src=x onerror="hacked=1"><b>`
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{Title: evil, Site: "javascript:hacked=1", Formats: []string{evil}}, nil)
		s := source("a")
		s.ID, s.What, s.Name, s.URL, s.Engine, s.Why, s.State, s.Clock, s.Notes = evil, evil, evil, "javascript:hacked=1", evil, evil, evil, evil, []string{evil}
		w.Sources("first", s)
		batches := batchesOf(t, sample(0), evil, 1000)
		last := batches[len(batches)-1]
		last.Notes, last.Marks = []string{evil}, []live.Mark{{What: evil, Name: evil, Detail: evil, Duration: 5}, {What: "__proto__", Name: "__proto__"}}
		w.send(batches)
		w.samples(1000)
		for _, tab := range []string{"Functions", "Top down", "Marks", "Time order"} {
			w.show(tab)
		}
		if got := w.Eval(`[typeof hacked, document.querySelectorAll("img, b, body script").length, document.querySelector("h1").textContent, document.querySelector(".hint a")?.protocol ?? ""]`); string(got) != fmt.Sprintf(`["undefined",0,%s,""]`, quoted(t, evil)) && !strings.HasSuffix(string(got), `"http:"]`) {
			t.Errorf("got %s", got)
		}
		w.noErrors()
	})
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// Profiles are saved and compared through the server, and sources are read from it.
func TestPanelFiles(t *testing.T) {
	files := http.NewServeMux()
	answer := func(w http.ResponseWriter, b *live.Batch) {
		if err := json.NewEncoder(w).Encode(b); err != nil {
			t.Error(err)
		}
	}
	saved := make(chan string, 10)
	files.HandleFunc("/__fieldprof/before", func(w http.ResponseWriter, _ *http.Request) { answer(w, live.BatchOf(sample(0))) })
	files.HandleFunc("/__fieldprof/text", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "text of %s\n", r.URL.Query().Get("file"))
	})
	files.HandleFunc("/__fieldprof/save", func(w http.ResponseWriter, r *http.Request) {
		saved <- r.URL.RawQuery
		if r.URL.Query().Get("format") == "html" {
			http.Error(w, "These profiles have different intervals.", http.StatusConflict)
			return
		}
		w.Header().Set("Content-Disposition", "attachment; filename=a.cpuprofile")
	})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{Before: true}, files)
		w.Sources("first", source("a"))
		w.send(batchesOf(t, sample(20), "a", 1000))
		w.samples(1200)
		w.Wait(`document.querySelector(".compared").textContent.includes("--before")`)
		w.show("Functions")
		changes := map[string]string{}
		for _, row := range must.JSON[[][]string](t, w.Eval(table)) {
			changes[strings.Split(row[3], "src/")[0]] = row[2]
		}
		if changes["work"] != "+11.7" || changes["again"] != "−3.3" {
			t.Errorf("changes: %q", changes)
		}
		w.Eval(`[...document.querySelectorAll("tr[data-fn]")].find((tr) => tr.textContent.includes("work")).click()`)
		w.Wait(`document.querySelector(".lines").textContent.includes("text of src/sample.ts")`)
		w.Eval(`document.querySelector(".compared button").click()`)
		if got := must.JSON[int](t, w.Eval(`document.querySelector("tr[data-fn]").cells.length`)); got != 3 {
			t.Errorf("%d cells without a comparison", got)
		}
		if b.Name == "chromium" { // the others ask where to save it
			w.Eval(`document.querySelector(".save button").click()`)
			if got := <-saved; got != "token=token+of+this+run&format=cpuprofile" {
				t.Errorf("saved: %s", got)
			}
		}
		w.noErrors()
		w.Eval(`(document.querySelector(".save select").value = "html", document.querySelector(".save button").click())`)
		w.Wait(`document.querySelector(".notices").textContent.includes("The profile cannot be saved: These profiles have different intervals.")`)
	})
}

// A million samples of ten sources are held, and no more.
func TestPanelHoldsAMillion(t *testing.T) {
	const each, sources = 110_000, 10
	var list []live.Source
	var all [][]*live.Batch
	for i := range sources {
		list = append(list, source(fmt.Sprint(i)))
		all = append(all, batchesOf(t, pages.Program(each), fmt.Sprint(i), 10_000))
	}
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{}, nil)
		w.Sources("first", list...)
		for k := range all[0] {
			for _, batches := range all {
				w.Send(batches[k])
			}
		}
		held := must.JSON[int](t, w.Wait(`(() => {
			const [, held] = /, (\d+) samples$/.exec(document.querySelector(".stretch").textContent) ?? [];
			const [, gone] = /oldest ([\d,]+) samples/.exec(document.querySelector(".losses").textContent) ?? [];
			return gone && Number(held) + Number(gone.replaceAll(",", "")) === `+fmt.Sprint(each*sources)+` && Number(held);
		})()`))
		if held > 1_000_000 || held < 900_000 {
			t.Errorf("%d samples are held", held)
		}
		for _, tab := range []string{"Time order", "Functions", "Top down", "Bottom up"} {
			w.show(tab)
		}
		w.noErrors()
	})
}
