package report

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/bench/pages"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/test/browser"
)

// program is a profile of a program with idle time and with marks.
func program() *profile.Profile {
	p := pages.Program(12_000)
	ms := func(at float64) time.Duration { return time.Duration(at * float64(time.Millisecond)) }
	p.Marks = []profile.Mark{
		{What: profile.Load, Name: "load", Time: 0, Duration: ms(2610)},
		{What: profile.Interaction, Name: "click", Target: "button#pay", Time: ms(3100), Duration: ms(412), InputDelay: ms(8), Processing: ms(380), Presentation: ms(24)},
		{What: profile.LongTask, Name: "long task", Time: ms(3108), Duration: ms(390)},
		{What: profile.Interaction, Name: "click", Target: "button#pay", Time: ms(6100), Duration: ms(240), InputDelay: ms(2), Processing: ms(230), Presentation: ms(8)},
		{What: profile.Interaction, Name: "keydown", Target: "input#search", Time: ms(7800), Duration: ms(296), InputDelay: ms(120), Processing: ms(160), Presentation: ms(16)},
		{What: profile.UserMark, Name: "cart-rendered", Time: ms(9000)},
	}
	return p
}

// shared says whether a browser has the ith shape where they share them: Chromium and Firefox
// each have every width, in the light or in the dark, and WebKit a phone.
func shared(browser string, i int) bool {
	if browser == "webkit" {
		return i == 0
	}
	return (browser == "chromium") == (i%2 == 0)
}

// Every view looks right in three widths, in the light and in the dark. FIELDPROF_FULL=1 has all
// of them in every browser.
// FIELDPROF_SCREENSHOTS names a folder for pictures.
func TestReportLooksRight(t *testing.T) {
	source := func(string) (string, bool) {
		return strings.Repeat("function main() {\n  work();\n  again(3);\n}\n", 100), true
	}
	files := fstest.MapFS{"report.html": page(t, program(), report.Options{Title: "shop.example", Source: source})}
	files = browser.Framed(files, "/report.html", browser.Shapes())
	folder := os.Getenv("FIELDPROF_SCREENSHOTS")
	browser.Every(t, func(t *testing.T, b *browser.Browser) {
		for i, shape := range browser.Shapes() {
			if shape.Dark && b.Name == "webkit" {
				continue // a frame there has the desktop's theme; FIELDPROF_DARK=1 has all of them in the dark
			}
			if os.Getenv("FIELDPROF_FULL") == "" && !shared(b.Name, i) {
				continue
			}
			site := browser.Serve(t, browser.Site{Files: files}) // of another origin: in the same window
			p := b.Open(fmt.Sprintf("%s/%s.html", site.URL, shape.Name))
			p.Wait(`inside()?.documentElement?.dataset.ready`)
			if dark := string(p.Eval(`inside().defaultView.matchMedia("(prefers-color-scheme: dark)").matches`)); dark != fmt.Sprint(shape.Dark) && os.Getenv("FIELDPROF_DARK") == "" {
				t.Fatalf("%s is dark: %s", shape.Name, dark)
			}
			for _, view := range []string{"Flame graph", "Time order", "Functions", "Sandwich", "Top down", "Bottom up", "Marks", "keys"} {
				p.Eval(`[...inside().querySelectorAll("[role=tab]")].find((tab) => tab.textContent === ` + fmt.Sprintf("%q", view) + `)?.click()`)
				switch view {
				case "Functions":
					p.Eval(`inside().querySelectorAll("tr[data-fn]")[1].click()`)
				case "Marks":
					p.Eval(`inside().querySelector("tr[role=row]").click()`)
				case "Bottom up":
					p.Eval(`(() => { const find = inside().querySelector("input[type=search]"); find.value = "module1"; find.dispatchEvent(new Event("input")); [...inside().querySelectorAll(".chosen button")].find((button) => button.textContent === "Hide").click(); inside().querySelector(".bar button").click(); })()`)
				case "keys":
					p.Eval(`inside().querySelector(".help").click()`)
				}
				for _, fault := range p.Faults() {
					t.Errorf("%s, %s: %s", shape.Name, view, fault)
				}
				if folder != "" {
					p.Screenshot(fmt.Sprintf("%s/%s-%s-%s.png", folder, b.Name, shape.Name, strings.ReplaceAll(strings.ToLower(view), " ", "-")))
				}
			}
			p.Close()
		}
	})
}
