// Package report looks at the HTML report in real browsers.
package report

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/test/browser"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// sample is a profile of known shares: idle, a recursion, a native function and
// names that would be markup.
func sample(slow int64) *profile.Profile {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond, Program: "sample.js"}}
	function := func(name string, line int32) profile.FunctionID {
		return b.Function(profile.Function{Name: name, File: "src/sample.ts", Line: line, Column: 1, Flags: profile.Checked})
	}
	stack := func(functions ...profile.FunctionID) profile.StackID {
		at := profile.NoStack
		for _, f := range functions {
			at = b.Stack(at, b.Frame(f, 3, 1))
		}
		return at
	}
	main, work, again, evil := function("main", 1), function("work", 2), function("again", 5), function(`</script><img src=x onerror="hacked=1">`, 9)
	tick := int64(0)
	add := func(s profile.StackID, ticks int64, kind profile.Kind) {
		for range ticks {
			tick++
			b.Add(profile.Sample{Time: tick * int64(time.Millisecond), Stack: s, Kind: kind}, 1)
		}
	}
	for range 10 {
		add(stack(main, work), 30+slow, profile.Own)
		add(stack(main, again, again, again), 20, profile.Own)
		add(stack(main, evil), 10, profile.Own)
		add(b.Pseudo(profile.NoStack, profile.NameIdle), 40, profile.Idle)
	}
	b.Meta.Duration = time.Duration(tick) * time.Millisecond
	return b.Profile()
}

func page(t *testing.T, p *profile.Profile, options report.Options) *fstest.MapFile {
	t.Helper()
	var text bytes.Buffer
	must.Do(t, report.Write(&text, p, options))
	return &fstest.MapFile{Data: text.Bytes()}
}

// table reads the rows of the view that is open.
const table = `[...document.querySelectorAll("tbody tr[data-fn]")].map((tr) => [...tr.cells].map((cell) => cell.textContent))`

func open(t *testing.T, b *browser.Browser, url, tab string) *browser.Page {
	t.Helper()
	p := b.Open(url)
	p.Wait("document.documentElement.dataset.ready")
	turn(p, tab)
	return p
}

// turn opens a view.
func turn(p *browser.Page, tab string) {
	p.Eval(fmt.Sprintf(`[...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === %q).click()`, tab))
}

func TestTablesSayWhatViewsSay(t *testing.T) {
	p := sample(0)
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, p, report.Options{})}})
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		opened := open(t, b, site.URL+"/report.html", "Functions")
		rows := must.JSON[[][]string](t, opened.Eval(table))
		flat := view.Flat(p)
		if len(rows) != len(flat) {
			t.Fatalf("%d rows, want %d: %q", len(rows), len(flat), rows)
		}
		for i, want := range flat {
			got := strings.Join(rows[i], " | ")
			if !strings.Contains(rows[i][0], fmt.Sprintf("· %.1f %%", want.SelfPercent)) || !strings.Contains(rows[i][1], fmt.Sprintf("· %.1f %%", want.TotalPercent)) || !strings.HasPrefix(rows[i][2], want.Name) {
				t.Errorf("row %d is %q, want %+v", i, got, want)
			}
		}
		opened.Quiet()
	})
}

// The content of a profile is text, whatever it looks like.
func TestHostileNames(t *testing.T) {
	source := func(string) (string, bool) {
		return "<script>hacked = 1</script>\n<img src=x onerror='hacked=1'>", true
	}
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, sample(0), report.Options{Title: `"><script>hacked=1</script>`, Source: source})}})
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := open(t, b, site.URL+"/report.html", "Functions")
		got := must.JSON[[]any](t, p.Eval(`(() => {
			const evil = [...document.querySelectorAll("tr[data-fn]")].find((tr) => tr.textContent.includes("onerror"));
			evil.click();
			return [typeof hacked, document.querySelectorAll("img").length, document.querySelectorAll("body script").length, document.querySelector("h1").textContent, document.querySelector(".lines code").textContent];
		})()`))
		want := `[undefined 0 0 "><script>hacked=1</script> <script>hacked = 1</script>]`
		if fmt.Sprint(got) != want {
			t.Errorf("%v, want %v", got, want)
		}
		// Nothing can be loaded or evaluated either.
		if blocked := string(p.Eval(`new Promise((done) => { const image = new Image(); image.onload = () => done("loaded"); image.onerror = () => done("blocked"); image.src = "/report.html"; })`)); blocked != `"blocked"` {
			t.Error(blocked)
		}
	})
}

func TestStretchOfTime(t *testing.T) {
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, sample(0), report.Options{})}})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := open(t, b, site.URL+"/report.html", "Functions")
		p.Eval(`(() => {
			const [from, to] = document.querySelectorAll(".edges input");
			from.value = 0, to.value = 30, to.dispatchEvent(new Event("change"));
		})()`)
		rows := must.JSON[[][]string](t, p.Eval(table))
		if len(rows) != 2 || rows[0][0] != "30 ms · 100.0 %" || !strings.HasPrefix(rows[0][2], "work") {
			t.Errorf("the first 30 ms are %q", rows)
		}
		p.Eval(`document.querySelector(".timeline button").click()`)
		if rows := must.JSON[[][]string](t, p.Eval(table)); len(rows) != 5 {
			t.Errorf("all are %q", rows)
		}
	})
}

func TestTreesOpenByKey(t *testing.T) {
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, sample(0), report.Options{})}})
	const lines = `[...document.querySelectorAll("tr[role=row]")].map((tr) => tr.getAttribute("aria-level") + " " + tr.querySelector(".name").textContent + " " + tr.cells[3].textContent)`
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := open(t, b, site.URL+"/report.html", "Top down")
		if got := must.JSON[[]string](t, p.Eval(lines)); len(got) != 5 || got[0] != "1 main 60.0 %" || got[4] != "1 (idle) 40.0 %" {
			t.Errorf("top down: %q", got)
		}
		p.Eval(`(() => {
			const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
			document.querySelector("tr[role=row]").focus();
			for (const key of ["ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"]) press(key);
		})()`)
		got := must.JSON[[]string](t, p.Eval(lines))
		want := []string{"1 main 60.0 %", "2 work 30.0 %", "2 again 20.0 %", "3 again 20.0 %", "4 again 20.0 %"}
		if len(got) < 5 || strings.Join(got[:5], "\n") != strings.Join(want, "\n") {
			t.Errorf("opened: %q", got)
		}
		up := open(t, b, site.URL+"/report.html", "Bottom up")
		if got := must.JSON[[]string](t, up.Eval(lines)); len(got) < 3 || got[0] != "1 (idle) 40.0 %" || !strings.HasPrefix(got[1], "1 work 30.0 %") {
			t.Errorf("bottom up: %q", got)
		}
	})
}

func TestComparison(t *testing.T) {
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, sample(20), report.Options{Before: sample(0)})}})
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := open(t, b, site.URL+"/report.html", "Functions")
		changes := map[string]string{}
		for _, row := range must.JSON[[][]string](t, p.Eval(table)) {
			changes[strings.Split(row[3], "src/")[0]] = row[2]
		}
		// 300 of 1000 became 500 of 1200.
		if changes["work"] != "+11.7" || changes["again"] != "−3.3" || changes["(idle)"] != "−6.7" {
			t.Errorf("changes: %q", changes)
		}
	})
}

// checkColours looks whether something is drawn on the chart that is open.
func checkColours(t *testing.T, p *browser.Page) {
	t.Helper()
	const painted = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
		const canvas = document.querySelector("main canvas");
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, Math.min(60, canvas.height));
		const colours = new Set();
		for (let i = 0; i < data.length; i += 4) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
		done(colours.size);
	})))`
	if got := must.JSON[int](t, p.Eval(painted)); got < 4 {
		t.Errorf("%d colours", got)
	}
}

// Every view draws itself, in the light; FIELDPROF_SCREENSHOTS names a folder for
// pictures.
func TestViewsDraw(t *testing.T) {
	source := func(string) (string, bool) { return "function main() {\n  work();\n  again(3);\n}\n", true }
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, sample(0), report.Options{Source: source})}})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		p := open(t, b, site.URL+"/report.html", "Functions")
		for _, tab := range []string{"Flame graph", "Time order", "Functions", "Top down", "Bottom up"} {
			turn(p, tab)
			if tab == "Functions" {
				p.Eval(`document.querySelectorAll("tr[data-fn]")[1].click()`)
			}
			if tab != "Top down" && tab != "Bottom up" {
				checkColours(t, p)
			}
			if folder := os.Getenv("FIELDPROF_SCREENSHOTS"); folder != "" {
				p.Screenshot(fmt.Sprintf("%s/%s-%s.png", folder, b.Name, strings.ReplaceAll(strings.ToLower(tab), " ", "-")))
			}
			if errors := p.Errors(); len(errors) > 0 {
				t.Errorf("%s: errors: %q", tab, errors)
			}
		}
	})
}

// Lines end where engines say that they do, and their terminators are not shown.
func TestLineEnds(t *testing.T) {
	source := func(string) (string, bool) { return "one\r\ntwo\rthree\u2028four\nfive\r\n", true }
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, sample(0), report.Options{Source: source})}})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := open(t, b, site.URL+"/report.html", "Functions")
		got := must.JSON[[]string](t, p.Eval(`(() => {
			[...document.querySelectorAll("tr[data-fn]")].find((tr) => tr.textContent.includes("again")).click();
			return [...document.querySelectorAll(".lines code")].map((code) => code.textContent);
		})()`))
		if fmt.Sprintf("%q", got) != `["one" "two" "three" "four" "five" ""]` {
			t.Errorf("the lines are %q", got)
		}
		p.Quiet()
	})
}
