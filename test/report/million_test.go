package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/bench/pages"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/test/browser"
)

// A report of a million samples opens whole, and says what views say. How fast is for
// `go run ./bench report` to measure; here it is only told.
func TestMillionSamples(t *testing.T) {
	p := pages.Program(1_000_000)
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, p, report.Options{})}})
	flat, down := view.Flat(p), view.NewTree(p, view.TopDown, view.TreeOptions{})
	busy := *down
	busy.Roots = nil
	for _, root := range down.Roots {
		if root.Name == profile.NameIdle {
			busy.Ticks -= root.Total
		} else {
			busy.Roots = append(busy.Roots, root)
		}
	}
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		opened := b.Open(site.URL + "/report.html")
		opened.Wait("document.documentElement.dataset.ready")
		t.Logf("opened after %s ms", opened.Eval("Math.round(performance.now())"))
		if said := must.JSON[string](t, opened.Eval(`document.querySelector(".stretch").textContent`)); !strings.HasSuffix(said, ", 1000000 samples") {
			t.Errorf("the timeline says %q", said)
		}
		show := func(tab string) {
			took := opened.Eval(fmt.Sprintf(`(async () => {
				const began = performance.now();
				[...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === %q).click();
				await new Promise(requestAnimationFrame);
				return Math.round(performance.now() - began);
			})()`, tab))
			t.Logf("%s after %s ms", tab, took)
		}
		show("Time order")
		checkColours(t, opened)
		show("Functions")
		rows := must.JSON[[][]string](t, opened.Eval(table))
		if len(rows) < 20 || len(rows) > 200 {
			t.Fatalf("%d rows are in the page", len(rows))
		}
		for i, row := range rows[:20] {
			want := []string{fmt.Sprintf("· %.1f %%", flat[i].SelfPercent), fmt.Sprintf("· %.1f %%", flat[i].TotalPercent), flat[i].Name}
			for cell := range want {
				if !strings.Contains(row[cell], want[cell]) {
					t.Errorf("row %d is %q, want %q", i, row, want)
				}
			}
		}
		// The last row is there when one gets to it.
		last := opened.Eval(`(() => {
			document.querySelector("tr[data-fn]").focus();
			document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
			return [document.activeElement.getAttribute("aria-rowindex"), document.activeElement.closest("table").getAttribute("aria-rowcount")];
		})()`)
		if want := fmt.Sprintf(`["%d","%[1]d"]`, len(flat)+1); string(last) != want {
			t.Errorf("the last row is %s, want %s", last, want)
		}
		show("Bottom up")
		show("Top down")
		const roots = `[...document.querySelectorAll("tr[aria-level='1']")].map((tr) => tr.querySelector(".name").textContent + " " + tr.cells[3].textContent)`
		checkRoots(t, must.JSON[[]string](t, opened.Eval(roots)), down)
		took := opened.Eval(`(() => { const began = performance.now(); document.querySelector(".idle").click(); return Math.round(performance.now() - began); })()`)
		t.Logf("without idle time after %s ms", took)
		checkRoots(t, must.JSON[[]string](t, opened.Eval(roots)), &busy)
		opened.Quiet()
	})
}

// A browser's elements have a greatest height. The rows of a table that would be higher can all be reached.
func TestRowsBeyondTheHighestElement(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond, Program: "sample.js"}}
	const count = 4000
	for i := range count {
		f := b.Function(profile.Function{Name: fmt.Sprint("f", i), File: "a.js", Line: int32(i + 1), Column: 1, Flags: profile.Checked})
		b.Add(profile.Sample{Time: int64(i+1) * int64(time.Millisecond), Stack: b.Stack(profile.NoStack, b.Frame(f, 1, 1)), Kind: profile.Own}, 1)
	}
	p := b.Profile()
	p.Meta.Duration = count * time.Millisecond
	url := serveReport(t, p, report.Options{})
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`(() => {
			const high = new CSSStyleSheet();
			high.replaceSync("tbody td { line-height: 10000px !important; }");
			document.adoptedStyleSheets = [high];
			show("Functions");
		})()`)
		const seen = `(() => {
			const { top, bottom } = document.activeElement.getBoundingClientRect();
			const table = document.querySelector("main .table").getBoundingClientRect();
			return [Number(document.activeElement.getAttribute("aria-rowindex")) - 1, top < table.bottom && bottom > table.top + 30];
		})()`
		press := func(key string) { p.Eval(fmt.Sprintf(`press(%q, document.activeElement)`, key)) }
		p.Eval(`document.querySelector("tr[data-fn]").focus()`)
		for _, step := range []struct{ key, want string }{
			{"ArrowDown", `[2,true]`}, {"End", fmt.Sprintf(`[%d,true]`, count)}, {"ArrowUp", fmt.Sprintf(`[%d,true]`, count-1)}, {"ArrowUp", fmt.Sprintf(`[%d,true]`, count-2)}, {"Home", `[1,true]`},
		} {
			press(step.key)
			says(t, p, seen, step.want)
		}
		// Half of the way is half of the rows.
		p.Eval(`(() => { const table = document.querySelector("main .table"); table.scrollTop = (table.scrollHeight - table.clientHeight) / 2; })()`)
		p.Wait(fmt.Sprintf(`[...document.querySelectorAll("tr[data-fn]")].some((tr) => Math.abs(tr.getAttribute("aria-rowindex") - %d) < 3 && tr.getBoundingClientRect().top < innerHeight && tr.getBoundingClientRect().bottom > 0)`, count/2))
		p.Quiet()
	})
}

// A file may have heat on more lines than a call can have arguments.
func TestHeatOnManyLines(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond, Program: "sample.js"}}
	f := b.Function(profile.Function{Name: "all", File: "a.js", Line: 1, Column: 1, Flags: profile.Checked})
	const count = 150_000
	for i := range count {
		b.Add(profile.Sample{Time: int64(i+1) * int64(time.Millisecond), Stack: b.Stack(profile.NoStack, b.Frame(f, int32(i+1), 1)), Kind: profile.Own}, 1)
	}
	p := b.Profile()
	p.Meta.Duration = count * time.Millisecond
	url := serveReport(t, p, report.Options{})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`(show("Functions"), row("all").click())`)
		says(t, p, `document.querySelectorAll(".lines li").length`, "50")
		p.Quiet()
	})
}

// checkRoots compares the outermost rows in sight with a tree's.
func checkRoots(t *testing.T, rows []string, tree *view.Tree) {
	t.Helper()
	var want []string
	for _, root := range tree.Roots {
		want = append(want, fmt.Sprintf("%s %.1f %%", root.Name, 100*float64(root.Total)/float64(tree.Ticks)))
	}
	if len(rows) == 0 || len(rows) > len(want) || strings.Join(rows, "\n") != strings.Join(want[:len(rows)], "\n") {
		t.Errorf("roots %q, want %q", rows, want)
	}
}

// Charts are there for keys and screen readers: each step says where it has come to.
func TestChartsByKey(t *testing.T) {
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, sample(0), report.Options{})}})
	evil := `</script><img src=x onerror="hacked=1">`
	for tab, steps := range map[string][][2]string{
		"Flame graph": {
			{"ArrowRight", "main · 600 ms · 60.0 %"}, {"ArrowRight", "(idle) · 400 ms · 40.0 %"}, {"ArrowRight", "(idle)"}, {"ArrowLeft", "main"},
			{"ArrowDown", "work · 300 ms · 30.0 %"}, {"ArrowRight", "again · 200 ms · 20.0 %"}, {"ArrowDown", "again"}, {"ArrowDown", "again"},
			{"ArrowDown", "again"}, {"ArrowRight", "again"}, {"ArrowUp", "again"}, {"ArrowUp", "again"}, {"ArrowRight", evil + " · 100 ms · 10.0 %"},
			{"ArrowUp", "main"}, {"ArrowUp", "main"},
		},
		"Time order": {
			{"ArrowRight", "main · 60 ms · at 0 ms"}, {"ArrowRight", "(idle) · 40 ms · at 60 ms"}, {"ArrowRight", "main · 60 ms · at 100 ms"},
			{"ArrowDown", "work · 30 ms · at 100 ms"}, {"ArrowRight", "again · 20 ms · at 130 ms"}, {"ArrowDown", "again · 20 ms · at 130 ms"}, {"ArrowDown", "again · 20 ms · at 130 ms"},
			{"ArrowRight", "again · 20 ms · at 230 ms"}, {"ArrowUp", "again · 20 ms · at 230 ms"}, {"ArrowUp", "again · 20 ms · at 230 ms"}, {"ArrowLeft", "work · 30 ms · at 200 ms"}, {"ArrowLeft", evil + " · 10 ms · at 150 ms"},
			{"ArrowUp", "main · 60 ms · at 100 ms"}, {"ArrowLeft", "(idle) · 40 ms · at 60 ms"}, {"ArrowLeft", "main · 60 ms · at 0 ms"}, {"ArrowLeft", "main · 60 ms · at 0 ms"},
		},
	} {
		browser.Each(t, func(t *testing.T, b *browser.Browser) {
			p := open(t, b, site.URL+"/report.html", tab)
			keys := must.Get(json.Marshal(steps))(t)
			said := must.JSON[[]string](t, p.Eval(fmt.Sprintf(`%s.map(([key]) => {
				document.querySelector("main canvas").dispatchEvent(new KeyboardEvent("keydown", { key }));
				return document.querySelector("main .said").textContent;
			})`, keys)))
			for i, step := range steps {
				if !strings.HasPrefix(said[i], step[1]) {
					t.Errorf("%s, step %d, %s: %q, want %q", tab, i, step[0], said[i], step[1])
				}
			}
		})
	}
}
