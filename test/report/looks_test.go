package report

import (
	"encoding/json"
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

// shapes are the windows in which pages must look right.
var shapes = []struct {
	name  string
	width int
	dark  bool
}{
	{"phone", 390, false}, {"tablet", 900, false}, {"desktop", 1400, false},
	{"phone-dark", 390, true}, {"tablet-dark", 900, true}, {"desktop-dark", 1400, true},
}

// framed are pages with a page in a frame, which has a width and a theme.
func framed(files fstest.MapFS, address string) fstest.MapFS {
	for _, s := range shapes {
		scheme := "light"
		if s.dark {
			scheme = "dark"
		}
		files[s.name+".html"] = &fstest.MapFile{Data: fmt.Appendf(nil, `<!doctype html><style>:root { color-scheme: %[3]s } body { margin: 0; background: #888 } iframe { color-scheme: %[3]s; border: 0; width: %[1]dpx; height: 860px; display: block }</style><iframe src="%[2]s"></iframe>
<script>const inside = () => document.querySelector("iframe").contentDocument;</script>`, s.width, address, scheme)}
	}
	return files
}

// faults looks for what must not be on a page, whatever is shown: anything wider than the
// window, buttons that are cut off or too small for a finger, and text that cannot be read.
const faults = `(() => {
	const page = inside(), view = page.defaultView, found = [];
	const name = (element) => element.tagName.toLowerCase() + "." + element.className + " " + JSON.stringify(element.textContent.slice(0, 40));
	const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
	const wide = Math.max(page.documentElement.scrollWidth, page.body.scrollWidth);
	if (wide > view.innerWidth) found.push("the page is " + wide + " wide");
	for (const button of page.querySelectorAll("button, input[type=search]")) {
		if (!isShown(button)) continue;
		const { left, right, width, height } = button.getBoundingClientRect();
		const isScrolled = button.closest("[role=tablist]");
		if (!isScrolled && (left < -1 || right > view.innerWidth + 1)) found.push(name(button) + " is outside: " + left + " to " + right);
		if (button.scrollWidth > button.clientWidth + 1 && button.tagName === "BUTTON") found.push(name(button) + " is cut off");
		if (view.innerWidth < 600 && (height < 40 || width < 40) && !button.closest("th")) found.push(name(button) + " is " + width + " × " + height);
	}
	const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
	const rgba = (colour) => {
		pen.clearRect(0, 0, 1, 1);
		pen.fillStyle = colour;
		pen.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
		return [r, g, b, a / 255];
	};
	const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
	const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((x, y) => y - x); return (x + 0.05) / (y + 0.05); };
	const behind = (element) => {
		const layers = [];
		for (let at = element; at; at = at.parentElement) layers.push(rgba(view.getComputedStyle(at).backgroundColor));
		return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
	};
	const known = new Map();
	const words = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
	while (words.nextNode()) {
		const element = words.currentNode.parentElement;
		if (!words.currentNode.data.trim() || !isShown(element) || element.closest("script, style, .said, option")) continue;
		const ground = behind(element);
		let ink = rgba(view.getComputedStyle(element).color);
		for (let at = element; at; at = at.parentElement) ink[3] *= Number(view.getComputedStyle(at).opacity);
		const is = contrast(over(ink, ground), ground);
		if (is < 4.5 && !known.has(element.className)) known.set(element.className, found.push(name(element) + " has a contrast of " + is.toFixed(1)));
	}
	const canvas = page.querySelector("main canvas");
	if (canvas?.checkVisibility() && canvas.width > 1) {
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		const areas = new Map();
		for (let i = 0; i < data.length; i += 4) { const c = data[i] << 16 | data[i + 1] << 8 | data[i + 2]; areas.set(c, (areas.get(c) ?? 0) + 1); }
		const ink = rgba(view.getComputedStyle(page.body).color);
		for (const [c, area] of areas) {
			const colour = [c >> 16, c >> 8 & 255, c & 255, 1];
			if (area > data.length / 4 / 200 && contrast(colour, ink) < 4.5 && contrast(colour, ink) > 1.2) found.push("names on " + colour + " have a contrast of " + contrast(colour, ink).toFixed(1));
		}
	}
	return found;
})()`

// drawn is true after what was changed has been painted.
const drawn = `new Promise((done) => inside().defaultView.requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`

// Every view looks right in three widths, in the light and in the dark.
// FIELDPROF_SCREENSHOTS names a folder for pictures.
func TestReportLooksRight(t *testing.T) {
	source := func(string) (string, bool) {
		return strings.Repeat("function main() {\n  work();\n  again(3);\n}\n", 100), true
	}
	files := fstest.MapFS{"report.html": page(t, program(), report.Options{Title: "shop.example", Source: source})}
	site := browser.Serve(t, browser.Site{Files: framed(files, "/report.html")})
	folder := os.Getenv("FIELDPROF_SCREENSHOTS")
	if folder == "" {
		folder = t.TempDir()
	}
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		for _, shape := range shapes {
			if shape.dark && b.Name == "webkit" {
				continue // a frame there has the desktop's theme; FIELDPROF_DARK=1 has all of them in the dark
			}
			p := b.Open(fmt.Sprintf("%s/%s.html", site.URL, shape.name))
			p.Wait(`inside()?.documentElement?.dataset.ready`)
			if dark := string(p.Eval(`inside().defaultView.matchMedia("(prefers-color-scheme: dark)").matches`)); dark != fmt.Sprint(shape.dark) && os.Getenv("FIELDPROF_DARK") == "" {
				t.Fatalf("%s is dark: %s", shape.name, dark)
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
				p.Eval(drawn)
				var found []string
				if err := json.Unmarshal(p.Eval(faults), &found); err != nil {
					t.Fatal(err)
				}
				for _, fault := range found {
					t.Errorf("%s, %s: %s", shape.name, view, fault)
				}
				p.Screenshot(fmt.Sprintf("%s/%s-%s-%s.png", folder, b.Name, shape.name, strings.ReplaceAll(strings.ToLower(view), " ", "-")))
			}
			p.Close()
		}
	})
}
