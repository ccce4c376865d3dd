package ui

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/test/browser"
)

// pages are the views, each with something to see.
var pages = map[string]string{
	"overview":  "?app=shop",
	"profile":   "?app=shop&view=profile&where=route:/cart&where=route:/list",
	"functions": "?app=shop&view=functions&ignored=keep",
	"trend":     "?app=shop&view=trend&name=compareByRank&file=src/list/sort.ts&line=40",
	"compare":   "?app=shop&view=compare",
	"slow":      "?app=shop&view=slow",
	"slice":     "",
	"examples":  "?app=shop&view=examples",
	"example":   "",
	"budgets":   "?app=shop&view=budgets",
	"empty":     "?app=fresh",
	"filter":    "",
	"export":    "?app=shop&view=profile",
}

// inFrame goes to an address in the page of the frame.
func inFrame(p *browser.Page, name string) {
	link := func(href string) {
		p.Eval(`(() => { const link = inside().createElement("a"); link.href = "` + href + `"; inside().body.append(link); link.click(); link.remove(); })()`)
		p.Wait(inFrameSettled)
	}
	switch name {
	case "slice", "example":
		link(pages[map[string]string{"slice": "slow", "example": "examples"}[name]])
		p.Eval(`inside().querySelector("td a[href*='` + name + `=']").click()`)
	case "filter":
		link("?app=shop&view=budgets")
		p.Eval(`inside().querySelector(".add").click()`)
		p.Wait(`inside().querySelector("dialog .values label")`)
	default:
		link(pages[name])
	}
	p.Wait(inFrameSettled)
	if name == "trend" {
		p.Wait(`inside().querySelector(".line-chart svg")`)
	}
	if name == "export" {
		p.Eval(`inside().querySelector(".menu summary").click()`)
	}
}

const inFrameSettled = `inside().documentElement.dataset.view && !inside().querySelector("[aria-busy=true]") && inside().querySelector("[role=main] > h2")`

// Every view looks right on phones and desktops, in the light and in the dark.
// FIELDPROF_SCREENSHOTS names a folder for pictures; with FIELDPROF_FULL=1 there is everything in
// every browser.
func TestDashboardLooksRight(t *testing.T) {
	shapes := []browser.Shape{{Name: "phone", Width: 320}, {Name: "tablet", Width: 900}, {Name: "desktop", Width: 1400}, {Name: "phone-dark", Width: 390, Dark: true}, {Name: "desktop-dark", Width: 1400, Dark: true}}
	url := shop(t, browser.Framed(fstest.MapFS{}, "/", shapes))
	folder, isFull := os.Getenv("FIELDPROF_SCREENSHOTS"), os.Getenv("FIELDPROF_FULL") != ""
	browser.Every(t, func(t *testing.T, b *browser.Browser) {
		for _, shape := range shapes {
			if shape.Dark && b.Name == "webkit" || !isFull && !quick(b.Name, shape.Name) {
				continue
			}
			p := b.Open(url + "/" + shape.Name + ".html")
			p.Wait(`inside()?.querySelector("form.signin, nav a")`)
			check(t, p, shape.Name, "sign-in", folder, b.Name)
			p.Eval(`(async () => { await inside().defaultView.fetch("api/v1/session", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"token":"` + token + `"}' }); inside().defaultView.location.reload(); })()`)
			p.Wait(`!inside()?.querySelector("form.signin") && ` + inFrameSettled)
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				if !isFull && b.Name != "chromium" && !slices.Contains(quickPages, name) {
					continue
				}
				inFrame(p, name)
				check(t, p, shape.Name, name, folder, b.Name)
				if name == "filter" {
					p.Eval(`inside().querySelector("dialog").close()`)
				}
			}
			p.Close()
		}
	})
}

// TestPicture makes the picture of docs/dashboard.md when FIELDPROF_SCREENSHOTS names a folder for
// it: the overview next to the profile.
func TestPicture(t *testing.T) {
	folder := os.Getenv("FIELDPROF_SCREENSHOTS")
	if folder == "" {
		t.Skip("FIELDPROF_SCREENSHOTS names no folder")
	}
	url := shop(t, fstest.MapFS{"both.html": &fstest.MapFile{Data: []byte(`<!doctype html><style>:root { color-scheme: light } body { margin: 0; width: 1160px; background: #c9cfd8 } iframe { border: 0; width: 1140px; height: 730px; margin: 10px 10px 0; background: #fff; border-radius: 8px } iframe + iframe { height: 270px; margin-bottom: 10px }</style><iframe src="/?app=shop"></iframe><iframe src="/?app=shop&view=profile"></iframe>`)}})
	browser.Every(t, func(t *testing.T, b *browser.Browser) {
		if b.Name != "chromium" {
			return
		}
		p := signedIn(t, b, url, "")
		p.Eval(`void (location.href = "/both.html")`)
		const ready = `document.querySelectorAll("iframe").length === 2 && [...document.querySelectorAll("iframe")].every(({ contentDocument: inside }) => inside?.documentElement?.dataset.view && !inside.querySelector("[aria-busy=true]") && inside.querySelector("[role=main] > h2"))`
		p.Wait(ready)
		p.Eval(`document.querySelectorAll("iframe")[1].contentDocument.querySelector(".tools").scrollIntoView()`)
		p.Screenshot(folder + "/collect.png")
	})
}

// quick says what there is without FIELDPROF_FULL: one browser has all pages, the others some on
// a phone.
func quick(browser, shape string) bool {
	return shape == "phone" || browser == "chromium" && shape == "desktop-dark"
}

var quickPages = []string{"overview", "compare", "slice"}

func check(t *testing.T, p *browser.Page, shape, name, folder, browser string) {
	t.Helper()
	for _, fault := range p.Faults() {
		t.Errorf("%s, %s: %s", shape, name, fault)
	}
	if folder != "" {
		p.Screenshot(fmt.Sprintf("%s/%s-%s-%s.png", folder, browser, shape, name))
	}
}

// evil is what a page could call anything: markup, and characters that hide or turn text.
const evil = "\"><img src=x onerror=hacked=1><script>hacked=1</script>\u202e\x1b[31m\u200b"

// Everything that pages have sent is text, and all of it can be seen.
func TestHostileNames(t *testing.T) {
	s := memory.New()
	attack(t, s)
	url := serve(t, s, nil)
	const clean = `(() => {
		const shown = document.body.innerText + [...document.querySelectorAll("*")].flatMap((element) => [element.title ?? "", element.getAttribute("aria-label") ?? "", element.nodeName === "OPTION" ? element.text : ""]).join("");
		return [typeof hacked, document.querySelectorAll("img, body script, iframe").length, /[\u202e\u200b\u001b]/.test(shown)];
	})()`
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "")
		for _, view := range []string{"", "&view=profile", "&view=functions", "&view=compare&label=x-plan", "&view=slow", "&view=examples", "&view=trend&name=" + "%22%3E%3Cimg%20src=x%20onerror=hacked=1%3E%E2%80%AE"} {
			show(p, "?app=shop&by=route,x-plan"+view)
			says(t, p, clean, `["undefined",0,false]`)
		}
		for view, link := range map[string]string{"slow": "slice=", "examples": "example=", "functions": "view=trend", "overview": "where="} {
			show(p, "?app=shop&view="+view)
			p.Eval(`document.querySelector("td a[href*='` + link + `']").click()`)
			p.Wait(settled)
			says(t, p, clean, `["undefined",0,false]`)
			if view != "functions" {
				for _, tab := range []string{"Functions", "Top down", "Marks"} {
					p.Eval(fmt.Sprintf(`[...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === %q)?.click()`, tab))
					p.Eval(`document.querySelector("tr[data-fn], tr[role=row]")?.click()`)
					says(t, p, clean, `["undefined",0,false]`)
				}
			}
		}
		if text := string(p.Eval(`document.body.innerText`)); !strings.Contains(text, `\\u202e\\x1b[31m\\u200b`) {
			t.Errorf("what is hidden is not spelled out: %.2000s", text)
		}
		p.Eval(`document.querySelector(".add").click()`)
		p.Wait(`document.querySelector("dialog .values label")`)
		says(t, p, clean, `["undefined",0,false]`)
		p.Eval(`document.querySelector("dialog").close()`)
		// Nothing can be loaded from elsewhere, or made of text, either.
		says(t, p, `fetch("https://example.invalid/").then(() => "asked", () => "blocked")`, `"blocked"`)
		says(t, p, `(() => { try { document.body.innerHTML = "<p>"; return "made"; } catch { return "refused"; } })()`, `"refused"`)
	})
}

// attack has one session with hostile names in everything.
func attack(t *testing.T, s store.Store) {
	t.Helper()
	var chunks []*record.Chunk
	for i := range 4 {
		b := profile.Builder{Meta: profile.Meta{Program: evil, Interval: 10 * time.Millisecond, Notes: []string{evil}}}
		f := b.Function(profile.Function{Name: evil, File: evil, Line: 3, Column: 1, Flags: profile.Checked})
		stack := b.Stack(profile.NoStack, b.Frame(f, 3, 1))
		for tick := range int64(40) {
			b.Add(profile.Sample{Time: (tick + 1) * int64(10*time.Millisecond), Stack: stack, Kind: profile.Own}, 1)
		}
		mark := profile.Mark{What: profile.Interaction, Name: evil, Target: evil, Detail: evil, Duration: 400 * time.Millisecond, Processing: 390 * time.Millisecond}
		b.Mark(mark)
		b.Meta.Duration = 400 * time.Millisecond
		p := b.Profile()
		at, id := noon.Add(-time.Duration(i+1)*time.Hour), record.IDOf("evil", fmt.Sprint(i))
		series := record.Series{App: "shop", Rate: 1, Interval: 10 * time.Millisecond, Labels: record.Labels{record.Release: fmt.Sprint(evil, i%2), record.Route: evil, record.Browser: evil, "x-plan": fmt.Sprint(evil, i%2)}}
		slow := series
		slow.Slow = true
		chunks = append(chunks, &record.Chunk{ID: id, Series: series, Source: "trace", At: at, Observed: time.Minute, View: id, Profile: record.Sum(p), Example: record.EncodeProfile(p),
			Slices: []record.Slice{{ID: record.IDOf("slice", fmt.Sprint(i)), Series: slow, At: at, View: id, Mark: mark, Cause: profile.Function{Name: evil, File: evil}, CauseGroup: "own", Trace: record.EncodeProfile(p)}}})
	}
	must.Get(s.Write(t.Context(), record.IDOf("batch"), chunks))(t)
}
