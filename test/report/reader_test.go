package report

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/report"
	"github.com/fieldprof/fieldprof/test/browser"
)

// The actions of readers, in the page's own words.
const reader = `(() => {
	window.byText = (selector, text) => [...document.querySelectorAll(selector)].find((element) => element.textContent === text);
	window.show = (view) => byText("[role=tab]", view).click();
	window.find = (words) => { const input = document.querySelector("input[type=search]"); input.value = words; input.dispatchEvent(new Event("input")); return document.querySelector(".matches").textContent; };
	window.row = (name) => [...document.querySelectorAll("main tr[role=row]")].find((tr) => tr.querySelector(".name").textContent === name);
	window.press = (key, at = document.body) => at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
	window.walk = (canvas, keys) => keys.map((key) => (press(key, canvas), canvas.closest(".chart").querySelector(".said").textContent.split(" · ").slice(0, 3).join(" · ")));
	window.flat = () => [...document.querySelectorAll("tr[data-fn]")].map((tr) => tr.querySelector(".name").textContent + " " + [0, 1].map((i) => tr.cells[i].textContent.split(" · ")[1]).join(" "));
})()`

// read opens a report as its readers do.
func read(t *testing.T, b *browser.Browser, url string) *browser.Page {
	t.Helper()
	p := b.Open(url)
	p.Wait("document.documentElement.dataset.ready")
	p.Eval("void " + reader)
	return p
}

func serveReport(t *testing.T, p *profile.Profile, o report.Options) string {
	t.Helper()
	return browser.Serve(t, browser.Site{Files: fstest.MapFS{"report.html": page(t, p, o)}}).URL + "/report.html"
}

// says compares what a page answers to an expression.
func says(t *testing.T, p *browser.Page, expression, want string) {
	t.Helper()
	if got := string(p.Eval(expression)); got != want {
		t.Errorf("%s\n is   %s\n want %s", expression, got, want)
	}
}

// Without idle time every view's shares are of busy time, and the address keeps it.
func TestHideIdle(t *testing.T) {
	url := serveReport(t, sample(0), report.Options{})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`show("Functions")`)
		p.Eval(`press("i")`)
		busy := func(p *browser.Page) {
			says(t, p, `flat().join()`, `"work 50.0 % 50.0 %,again 33.3 % 33.3 %,</script><img src=x onerror=\"hacked=1\"> 16.7 % 16.7 %,main 0.0 % 100.0 %"`)
			says(t, p, `document.querySelector(".stretch").textContent`, `"1.00 s, 1000 samples, 60.0 % busy"`)
			says(t, p, `document.querySelector(".idle").getAttribute("aria-pressed")`, `"true"`)
		}
		busy(p)
		p.Wait(`location.hash.includes("idle=hidden")`)
		same := must.JSON[string](t, p.Eval(`location.href`))
		p.Eval(`show("Flame graph")`)
		says(t, p, `walk(document.querySelector("main canvas"), ["ArrowRight", "ArrowRight", "ArrowDown"])`, `["main · 600 ms · 100.0 %","main · 600 ms · 100.0 %","work · 300 ms · 50.0 %"]`)
		p.Eval(`show("Time order")`)
		says(t, p, `walk(document.querySelector("main canvas"), ["ArrowRight", "ArrowRight"])`, `["main · 60 ms · at 0 ms","main · 60 ms · at 100 ms"]`)
		for _, tab := range []string{"Top down", "Bottom up"} {
			p.Eval(fmt.Sprintf(`show(%q)`, tab))
			says(t, p, `[row("(idle)") === undefined, row("work")?.cells[3].textContent]`, `[true,"50.0 %"]`)
		}
		p.Eval(`document.querySelector(".reset").click()`)
		says(t, p, `[row("(idle)").cells[3].textContent, document.querySelector(".reset").disabled]`, `["40.0 %",true]`)
		p.Quiet()
		busy(read(t, b, same)) // a link, or a reload
	})
}

// Matches are counted while words are typed. A stack with several of them counts once.
func TestMatches(t *testing.T) {
	url := serveReport(t, sample(0), report.Options{})
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		says(t, p, `["again", "SAMPLE.ts", "work", "no such function", ""].map(find)`, `["1 function · 20.0 %","4 functions · 60.0 %","1 function · 30.0 %","0 functions · 0.0 %",""]`)
		says(t, p, `(find("again"), press("i"), document.querySelector(".matches").textContent)`, `"1 function · 33.3 %"`)
		says(t, p, `(document.querySelector(".clear").click(), [document.querySelector("input[type=search]").value, document.querySelector(".clear").hidden, document.activeElement.type])`, `["",true,"search"]`)
		p.Quiet()
	})
}

// The sandwich shows any function's callers above and its callees below; a hidden
// function's time counts in its callers, and it comes back.
func TestSandwichAndHide(t *testing.T) {
	url := serveReport(t, sample(0), report.Options{})
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`(show("Functions"), row("again").click(), byText(".chosen button", "Sandwich").click())`)
		says(t, p, `document.querySelector("[role=tab][aria-selected=true]").textContent`, `"Sandwich"`)
		says(t, p, `document.querySelector(".sandwich h2").textContent`, `"again · self 20.0 % · total 20.0 % · src/sample.ts:5"`)
		const charts = `[...document.querySelectorAll(".sandwich canvas")]`
		says(t, p, `walk(`+charts+`[0], ["ArrowUp", "ArrowUp"])`, `["again · 200 ms · 20.0 %","main · 200 ms · 20.0 %"]`)
		says(t, p, `walk(`+charts+`[1], ["ArrowDown", "ArrowDown", "ArrowDown"])`, `["again · 200 ms · 20.0 %","again · 200 ms · 20.0 %","again · 200 ms · 20.0 %"]`)
		says(t, p, `(press("s"), press("h"), show("Functions"), flat().join())`, `"(idle) 40.0 % 40.0 %,work 30.0 % 30.0 %,main 20.0 % 60.0 %,</script><img src=x onerror=\"hacked=1\"> 10.0 % 10.0 %"`)
		says(t, p, `document.querySelector(".hiding").textContent`, `"hidden: again ×"`)
		p.Eval(`(row("main").click(), press("h"))`)
		says(t, p, `[flat()[0], document.querySelectorAll(".hiding button").length]`, `["(idle) 40.0 % 40.0 %",2]`)
		p.Eval(`show("Flame graph")`)
		says(t, p, `walk(document.querySelector("main canvas"), ["ArrowRight"])`, `["(idle) · 400 ms · 40.0 %"]`)
		says(t, p, `(press("u"), document.querySelector(".hiding button").click(), show("Functions"), flat().length)`, `5`)
		p.Quiet()
	})
}

// Names that are written from right to left leave the figures next to them where they are.
func TestNamesFromRightToLeft(t *testing.T) {
	b := profile.Builder{Meta: profile.Meta{Interval: time.Millisecond, Program: "sample.js"}}
	hebrew := b.Function(profile.Function{Name: "שלום", File: "2026/עולם.ts", Line: 7, Column: 1, Flags: profile.Checked})
	at := b.Stack(profile.NoStack, b.Frame(hebrew, 7, 1))
	for i := range 300 {
		b.Add(profile.Sample{Time: int64(i+1) * int64(time.Millisecond), Stack: at, Kind: profile.Own}, 1)
	}
	p := b.Profile()
	p.Meta.Duration = 300 * time.Millisecond
	p.Marks = []profile.Mark{{What: profile.Interaction, Name: "לחיצה", Target: "12", Duration: 50 * time.Millisecond}}
	url := serveReport(t, p, report.Options{})
	const inOrder = `(element, ...texts) => {
		const line = document.body.appendChild(element.cloneNode(true)); // which is in sight, in one line
		line.className = "";
		line.style.whiteSpace = "nowrap";
		const lefts = texts.map((text) => {
			const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
			while (walk.nextNode()) {
				const at = walk.currentNode.data.indexOf(text);
				if (at < 0) continue;
				const range = document.createRange();
				range.setStart(walk.currentNode, at);
				range.setEnd(walk.currentNode, at + text.length);
				return range.getBoundingClientRect().left;
			}
		});
		line.remove();
		return lefts.every((left, i) => i === 0 || left > lefts[i - 1]) || element.textContent + " is at " + lefts;
	}`
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval("void (window.inOrder = " + inOrder + ")")
		p.Eval(`show("Flame graph")`)
		says(t, p, `(walk(document.querySelector("main canvas"), ["ArrowRight"]), inOrder(document.querySelector("main .said"), "שלום", "300 ms", "100.0 %", "2026/", "עולם"))`, "true")
		p.Eval(`show("Functions")`)
		says(t, p, `(row("שלום").click(), inOrder(row("שלום").querySelector("td.function"), "שלום", "2026/", "עולם"))`, "true")
		p.Eval(`show("Marks")`)
		says(t, p, `inOrder(row("לחיצה").querySelector("td.function"), "לחיצה", "12")`, "true")
		p.Quiet()
	})
}

// marked is a sample with marks, some of which would be markup.
func marked() *profile.Profile {
	const evil = `</script><img src=x onerror="hacked=1">`
	p := sample(0)
	ms := time.Millisecond
	p.Marks = []profile.Mark{
		{What: profile.Interaction, Name: "click", Target: "button#buy", Time: 100 * ms, Duration: 30 * ms},
		{What: profile.Interaction, Name: "click", Target: "button#buy", Time: 200 * ms, Duration: 50 * ms, InputDelay: 10 * ms, Processing: 30 * ms, Presentation: 10 * ms},
		{What: "__proto__", Name: evil, Target: evil, Detail: evil, Time: 300 * ms, Duration: 5 * ms},
		{What: profile.LongTask, Name: evil, Target: evil, Time: 400 * ms, Duration: 40 * ms},
	}
	return p
}

// Slow interactions are in groups, the worst first; each opens its stretch, and says what is to blame.
func TestMarks(t *testing.T) {
	url := serveReport(t, marked(), report.Options{})
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`show("Marks")`)
		const list = `[...document.querySelectorAll("main tr[role=row]")].map((tr) => [tr.getAttribute("aria-level"), ...[...tr.cells].slice(0, 3).map((cell) => cell.textContent), tr.querySelector(".name").textContent].join("|"))`
		evil := `</script><img src=x onerror=\"hacked=1\">`
		says(t, p, list, `["1||50 ms|interaction|click","1|400 ms|40 ms|long task|`+evil+`","1|300 ms|5.0 ms|__proto__|`+evil+`"]`)
		says(t, p, `(press("ArrowRight", document.querySelector("main tr[role=row]")), `+list+`.slice(1, 3))`, `["2|200 ms|50 ms|interaction|click","2|100 ms|30 ms|interaction|click"]`)
		p.Eval(`document.querySelectorAll("main tr[role=row]")[1].click()`)
		says(t, p, `document.querySelector(".stretch").textContent`, `"200 ms to 250 ms, 50 samples"`)
		says(t, p, `[...document.querySelectorAll(".parts div")].map((part) => part.textContent)`, `["input delay10 ms","processing30 ms","presentation10 ms"]`)
		if said := must.JSON[string](t, p.Eval(`document.querySelector(".marks .detail p").textContent`)); !strings.HasPrefix(said, "30 ms of 50: work (sample.ts:2)") {
			t.Errorf("it says %q", said)
		}
		says(t, p, `walk(document.querySelector(".marks .detail canvas"), ["ArrowRight", "ArrowDown"])`, `["main · 50 ms · 100.0 %","work · 30 ms · 60.0 %"]`)
		says(t, p, `([...document.querySelectorAll("main tr[role=row]")].at(-1).click(), [typeof hacked, document.querySelectorAll("img, body script").length])`, `["undefined",0]`)
		p.Quiet()
	})
}

// Two fingers zoom, one pans, a tap selects and another one zooms.
func TestTouch(t *testing.T) {
	url := serveReport(t, sample(0), report.Options{})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`void (() => {
			window.canvas = document.querySelector("main canvas");
			window.at = (part) => canvas.getBoundingClientRect().left + part * canvas.clientWidth;
			window.touch = (type, id, part) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: "touch", clientX: at(part), clientY: canvas.getBoundingClientRect().top + 8, bubbles: true }));
			window.tap = (part) => { touch("pointerdown", 9, part); touch("pointerup", 9, part); canvas.dispatchEvent(new MouseEvent("click", { clientX: at(part), clientY: canvas.getBoundingClientRect().top + 8, bubbles: true })); };
			window.drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			window.chosen = () => document.querySelector(".chosen").hidden ? "" : document.querySelector(".chosen .name").textContent;
		})()`)
		// main has 60 % of the width, idle time the rest.
		says(t, p, `(tap(0.8), chosen())`, `"(idle)"`)
		says(t, p, `(tap(0.3), [chosen(), document.querySelector(".tip").hidden])`, `["main",false]`)
		p.Eval(`void (touch("pointerdown", 1, 0.4), touch("pointerdown", 2, 0.6), touch("pointermove", 1, 0.1), touch("pointermove", 2, 0.9), touch("pointerup", 1, 0.1), touch("pointerup", 2, 0.9))`)
		p.Eval(`drawn()`)
		says(t, p, `document.querySelector(".back").hidden`, `false`)
		// A quarter is in view, from 37.5 % on: main ends at 90 %.
		says(t, p, `(tap(0.95), chosen())`, `"(idle)"`)
		p.Eval(`void (touch("pointerdown", 1, 0.2), touch("pointermove", 1, 0.9), touch("pointerup", 1, 0.9))`)
		says(t, p, `(tap(0.95), chosen())`, `"main"`)
		p.Eval(`(document.querySelector(".back").click(), drawn())`)
		says(t, p, `[document.querySelector(".back").hidden, getComputedStyle(canvas).touchAction]`, `[true,"pan-y"]`)
		says(t, p, `(tap(0.8), tap(0.8), tap(0.1), chosen())`, `"(idle)"`)
		p.Quiet()
	})
}

// The keys are in one table, in a modal dialog: the browser keeps the focus inside, and
// closes it at Escape.
func TestKeys(t *testing.T) {
	url := serveReport(t, sample(0), report.Options{})
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`press("?")`)
		says(t, p, `(() => { const dialog = document.querySelector("dialog"); return [dialog.matches(":modal"), dialog.contains(document.activeElement), document.getElementById(dialog.getAttribute("aria-labelledby")).textContent]; })()`, `[true,true,"Keys"]`)
		// While it is open keys mean nothing.
		says(t, p, `(press("i"), document.querySelector(".idle").getAttribute("aria-pressed"))`, `"false"`)
		listed := must.JSON[[]string](t, p.Eval(`[...document.querySelectorAll("dialog kbd")].map((key) => key.textContent)`))
		for _, key := range []string{"/", "i", "s", "h", "u", "0", "?", "←", "→", "↑", "↓", "Enter", "Esc", "+", "-", "Home", "End", "Page ↓", "Space"} {
			if !strings.Contains("\n"+strings.Join(listed, "\n")+"\n", "\n"+key+"\n") {
				t.Errorf("%q is not listed: %q", key, listed)
			}
		}
		says(t, p, `(byText("dialog button", "Close").click(), document.querySelector("dialog").open)`, `false`)
		says(t, p, `(press("/"), document.activeElement.type)`, `"search"`)
		p.Quiet()
	})
}

// An address may say anything.
func TestHostileAddress(t *testing.T) {
	url := serveReport(t, sample(0), report.Options{})
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url+`#view=constructor&function=__proto__&sandwich=-1-9e99&hidden=0-0-99-x&range=5-Infinity-NaN&search=%3Cimg%20src=x%20onerror=hacked=1%3E&idle=%00`)
		says(t, p, `[typeof hacked, document.querySelectorAll("img").length, document.querySelectorAll(".hiding button").length, document.querySelector(".matches").textContent]`, `["undefined",0,1,"0 functions · 0.0 %"]`)
		p.Quiet()
	})
}

// Lines have heat, or the page says why they do not.
func TestLinesSayWhy(t *testing.T) {
	cold := sample(0)
	for i := range cold.Frames.Line {
		cold.Frames.Line[i] = 0
	}
	text := func(string) (string, bool) { return "a\nb\nc\n", true }
	for name, test := range map[string]struct {
		p    *profile.Profile
		o    report.Options
		fn   string
		want string
	}{
		"no text":  {sample(0), report.Options{}, "work", "No text: the source is not in this report."},
		"no lines": {cold, report.Options{Source: text}, "work", "No heat on lines: this profile says in which functions"},
		"no code":  {sample(0), report.Options{}, "(idle)", "This is no code of the program"},
		"all":      {sample(0), report.Options{Source: text}, "work", ""},
	} {
		url := serveReport(t, test.p, test.o)
		t.Run(name, func(t *testing.T) {
			browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
				p := read(t, b, url)
				p.Eval(fmt.Sprintf(`(show("Functions"), row(%q).click())`, test.fn))
				said := must.JSON[string](t, p.Eval(`document.querySelector(".reason")?.textContent ?? ""`))
				if !strings.HasPrefix(said, test.want) || test.want == "" && said != "" {
					t.Errorf("it says %q", said)
				}
			})
		})
	}
}

// A panel folds what comes in, and goes on doing so.
func TestPanelFolds(t *testing.T) {
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		w := watch(t, b, report.PanelOptions{}, nil)
		w.Sources("first", source("a"))
		batches := batchesOf(t, sample(0), "a", 100)
		w.send(batches[:len(batches)-5])
		w.samples(500)
		w.Eval("void " + reader)
		w.Eval(`(show("Functions"), press("i"))`)
		w.Wait(`row("(idle)") === undefined && row("work")?.cells[0].textContent.endsWith("50.0 %")`)
		w.Eval(`(row("again").click(), press("h"))`)
		w.Wait(`row("again") === undefined && row("main")?.cells[0].textContent.endsWith("33.3 %")`)
		w.send(batches[len(batches)-5:])
		w.Wait(`document.querySelector(".stretch").textContent.endsWith("1000 samples, 60.0 % busy")`)
		says(t, w.Page, `[row("(idle)") === undefined, row("again") === undefined, row("main").cells[0].textContent]`, `[true,true,"200 ms · 33.3 %"]`)
		says(t, w.Page, `find("work")`, `"1 function · 50.0 %"`)
		w.Eval(`document.querySelector(".reset").click()`)
		w.Wait(`row("(idle)") && row("again")`)
		w.Eval(`(row("work").click(), press("s"))`)
		w.Wait(`document.querySelector(".sandwich h2").textContent.startsWith("work · self 30.0 %")`)
		w.noErrors()
	})
}

// A comparison is of busy time, too.
func TestComparisonFolds(t *testing.T) {
	url := serveReport(t, sample(20), report.Options{Before: sample(0)})
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := read(t, b, url)
		p.Eval(`(show("Functions"), press("i"))`)
		// 300 of 600 became 500 of 800.
		says(t, p, `row("work").cells[2].textContent`, `"+12.5"`)
		p.Eval(`(row("work").click(), press("h"))`)
		says(t, p, `[row("main").cells[2].textContent, row("again").cells[2].textContent]`, `["+12.5","−8.3"]`)
		p.Quiet()
	})
}
