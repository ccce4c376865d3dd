package ui

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// quiet fails the test for errors, but for requests that were refused: the first one of a page
// without a session is.
func quiet(t *testing.T, p *browser.Page) {
	t.Helper()
	for _, e := range p.Errors() {
		if !strings.HasSuffix(e, ": 401") {
			t.Error(e)
		}
	}
}

// says checks what an expression gives.
func says(t *testing.T, p *browser.Page, expression, want string) {
	t.Helper()
	if got := string(p.Eval(expression)); got != want {
		t.Errorf("%s is %s, want %s", expression, got, want)
	}
}

// A page without a session asks for the token, says if it is wrong, and then shows what its
// address says. Scripts cannot read the session.
func TestSignIn(t *testing.T) {
	url := shop(t, nil)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		p := b.Open(url + "/?app=shop&view=budgets")
		signOut(p)
		says(t, p, `[...document.querySelectorAll("header select, nav a")].filter((part) => part.checkVisibility()).length`, "0")
		p.Eval(`(() => { document.querySelector("#token").value = "no"; document.querySelector("form.signin").requestSubmit(); })()`)
		p.Wait(`document.querySelector(".refusal").textContent.includes("not known")`)
		signIn(p, token)
		p.Wait(settled)
		says(t, p, `document.querySelector("[role=main] > h2").textContent`, `"Budgets"`)
		says(t, p, `document.cookie`, `""`)
		says(t, p, `[...document.querySelector("[aria-label=App]").options].map((option) => option.value)`, `["shop","fresh"]`)
		p.Eval(`[...document.querySelectorAll("button")].find((button) => button.textContent === "Sign out").click()`)
		p.Wait(`document.querySelector("form.signin")`)
		says(t, p, `fetch("api/v1/apps").then((response) => response.status)`, "401")
		// A link with a token signs in, and does not keep it.
		p.Eval(`void (location.hash = "token=` + token + `")`)
		p.Wait(`!document.querySelector("form.signin") && ` + settled)
		says(t, p, `[location.hash, document.querySelector("[role=main] > h2").textContent]`, `["","Budgets"]`)
		quiet(t, p)
	})
}

// Failures of signing in and out are reported: a token may be right and of no use here, and a session that could not be
// ended has not ended.
func TestSignInAndOutFail(t *testing.T) {
	url := shop(t, nil)
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := b.Open(url + "/")
		signOut(p)
		p.Eval(`(() => { document.querySelector("#token").value = "` + uploads + `"; document.querySelector("form.signin").requestSubmit(); })()`)
		p.Wait(`document.querySelector(".refusal").textContent.includes("does not read")`)
		signIn(p, token)
		p.Wait(settled)
		p.Eval(`(window.fetching = window.fetch, window.fetch = async () => { throw new TypeError("no network") }, 0)`)
		p.Eval(`[...document.querySelectorAll("button")].find((button) => button.textContent === "Sign out").click()`)
		p.Wait(`document.querySelector(".failure")`)
		says(t, p, `document.querySelector("form.signin")`, "null")
		p.Eval(`(window.fetch = window.fetching, document.querySelector(".failure button").click())`)
		p.Wait(`document.querySelector("form.signin")`)
	})
}

// The command that uploads maps names a release that there is, the app, and the folder of the profiled build.
func TestMissingMaps(t *testing.T) {
	url := shop(t, nil)
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "?app=shop&view=profile&where=release:")
		hint := `[...document.querySelectorAll("details.hint")].filter((hint) => hint.checkVisibility()).map((hint) => hint.querySelector("code").textContent).join()`
		says(t, p, hint, `""`)
		show(p, "?app=shop&view=profile&where=release:&where=release:9.0&where=release:(other)")
		says(t, p, hint, fmt.Sprintf("%q", "instrument upload --url "+url+" --app shop --release 9.0 dist-profiled/"))
	})
}

// The latest releases are compared unless others are chosen: those uploaded last, since names may be hashes.
func TestCompareTakesTheLatest(t *testing.T) {
	s := memory.New()
	fill(t, s)
	table := tableOf(t)
	must.Do(t, s.PutFile(t.Context(), store.File{App: "shop", Release: "2.3.0", Name: "assets/app.js.functions.json", Kind: store.FileTable, Size: int64(len(table)), Uploaded: noon}, table))
	url := serve(t, s, nil)
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "?app=shop&view=compare")
		says(t, p, `["before", "after"].map((side) => document.querySelector("select[aria-label=" + side + "]").value)`, `["2.4.0","2.3.0"]`)
	})
}

// cells are the texts of a table's rows.
const cells = `[...document.querySelectorAll("[role=main] table")].map((table) => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s+/g, " ").trim())))`

// Tables say what the API answers, in its order until their reader chooses another.
func TestTablesSayWhatTheAPIAnswers(t *testing.T) {
	url := shop(t, nil)
	const ask = `fetch("api/v1/%s").then((response) => response.json())`
	type overview struct {
		Rows []struct {
			Labels map[string]string
			Views  int
		}
	}
	type functions struct {
		Functions []struct {
			Name, File string
			Line       int
			SelfShare  float64
		}
	}
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "?app=shop&by=route,browser")
		rows := must.JSON[[][][]string](t, p.Eval(cells))[0]
		for i, want := range must.JSON[overview](t, p.Eval(fmt.Sprintf(ask, "overview?app=shop&by=route,browser"))).Rows {
			if rows[i][0] != want.Labels["route"] || rows[i][1] != want.Labels["browser"] || !strings.HasSuffix(rows[i][2], fmt.Sprintf("of %d", want.Views)) {
				t.Errorf("row %d is %q, want %v", i, rows[i], want)
			}
		}
		// Sorted by route, backwards; and a reload keeps the order.
		p.Eval(`[...document.querySelectorAll("th button")].find((button) => button.textContent === "route").click()`)
		p.Eval(`[...document.querySelectorAll("th button")].find((button) => button.textContent === "route").click()`)
		says(t, p, `[document.querySelector("th[aria-sort=descending]").textContent, document.querySelector("tbody td").textContent, new URLSearchParams(location.search).get("sort")]`, `["route","/search","-route"]`)
		show(p, "?app=shop&view=functions")
		rows = must.JSON[[][][]string](t, p.Eval(cells))[0]
		for i, want := range must.JSON[functions](t, p.Eval(fmt.Sprintf(ask, "functions?app=shop"))).Functions {
			if name := fmt.Sprintf("%s%s:%d", want.Name, want.File, want.Line); rows[i][0] != name || !strings.HasPrefix(rows[i][1], fmt.Sprintf("%.1f %%", 100*want.SelfShare)) {
				t.Errorf("row %d is %q, want %v", i, rows[i], want)
			}
		}
		p.Eval(`document.querySelector("tbody a").click()`)
		p.Wait(settled)
		p.Wait(`document.querySelector(".line-chart svg circle")`)
		says(t, p, `document.querySelector("h3").firstChild.data`, fmt.Sprintf("%q", "compareByRank"))
		if marks := must.JSON[[]string](t, p.Eval(`[...document.querySelectorAll(".mark title")].map((title) => title.textContent)`)); !slices.Equal(marks, []string{"release 2.3.0", "release 2.3.1", "release 2.4.0"}) {
			t.Errorf("releases %q", marks)
		}
		show(p, "?app=shop&view=budgets")
		if rows := must.JSON[[][][]string](t, p.Eval(cells))[0]; rows[0][0] != "■ broken" || rows[1][0] != "● kept" {
			t.Errorf("budgets %q", rows)
		}
		quiet(t, p)
	})
}

// The address is the state: going back shows what was shown before, and a link shows the same.
func TestAddressIsState(t *testing.T) {
	url := shop(t, nil)
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "?app=shop&view=functions")
		whole := string(p.Eval(cells))
		// A filter, chosen as a person does.
		p.Eval(`document.querySelector(".add").click()`)
		p.Wait(`document.querySelector("dialog .values label")`)
		p.Eval(`(() => { const list = document.querySelector("dialog select"); list.value = "route"; list.dispatchEvent(new Event("change")); })()`)
		p.Wait(`[...document.querySelectorAll("dialog label")].some((label) => label.textContent.startsWith("/cart"))`)
		p.Eval(`[...document.querySelectorAll("dialog label")].find((label) => label.textContent.startsWith("/cart")).click()`)
		p.Eval(`document.querySelector("dialog .primary").click()`)
		p.Wait(settled)
		says(t, p, `[document.querySelector("dialog"), new URLSearchParams(location.search).get("where"), document.querySelector(".chip").textContent]`, `[null,"route:/cart","route: /cart×"]`)
		filtered := string(p.Eval(cells))
		if filtered == whole || !strings.Contains(filtered, "priceBasket") || strings.Contains(filtered, "sortProducts") {
			t.Errorf("filtered: %s", filtered)
		}
		p.Eval(`[...document.querySelectorAll("nav a")].find((link) => link.textContent === "Compare").click()`)
		p.Wait(settled)
		says(t, p, `[document.querySelector("nav [aria-current]").textContent, document.title, document.activeElement.textContent]`, `["Compare","Compare – fieldprof","Compare"]`)
		p.Eval(`history.back()`)
		p.Wait(`document.title === "Functions – fieldprof" && ` + settled)
		says(t, p, cells, filtered)
		p.Eval(`history.back()`)
		p.Wait(`!document.querySelector(".chip") && ` + settled)
		says(t, p, cells, whole)
		p.Eval(`history.forward()`)
		p.Wait(`document.querySelector(".chip") && ` + settled)
		p.Eval(`document.querySelector(".chip button + button").click()`)
		p.Wait(`!document.querySelector(".chip") && ` + settled)
		says(t, p, cells, whole)
		// A range of one's own, in local time.
		p.Eval(`(() => { const list = document.querySelector("[aria-label='Time range']"); list.value = ""; list.dispatchEvent(new Event("change")); })()`)
		says(t, p, `[document.activeElement.getAttribute("aria-label"), document.activeElement.value.length]`, `["From",16]`)
		const show10to12 = `(() => { const [from, to] = document.querySelectorAll(".between input"); [from.value, to.value] = %s; document.querySelector(".between button").click(); })()`
		p.Eval(fmt.Sprintf(show10to12, `["2026-11-23T12:00", "2026-11-23T10:00"]`))
		says(t, p, `document.querySelector(".between [role=alert]").textContent`, `"The range must end after it begins."`)
		p.Eval(fmt.Sprintf(show10to12, `["2026-11-23T10:00", "2026-11-23T12:00"]`))
		p.Wait(settled)
		says(t, p, `["from", "to"].map((edge) => new Date(new URLSearchParams(location.search).get(edge)).getHours())`, "[10,12]")
		// Every address has a page, whatever it says.
		for _, odd := range []string{"?app=shop&view=no", "?app=shop&where=__proto__:x&constructor=1", "?app=shop&view=slice&slice=../../apps", "?app=shop&view=trend&line=x&name=f", "?app=no", "?app=shop&from=never"} {
			show(p, odd)
			says(t, p, `document.querySelectorAll("[role=main] > h2").length`, "1")
		}
	})
}

// A profile has the report's views, without those of time; a slow moment and an example have all.
func TestProfiles(t *testing.T) {
	url := shop(t, nil)
	const tabs = `[...document.querySelectorAll("[role=tab]")].map((tab) => tab.textContent).join()`
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "?app=shop&view=profile")
		says(t, p, tabs, `"Flame graph,Functions,Sandwich,Top down,Bottom up"`)
		p.Eval(`[...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === "Functions").click()`)
		says(t, p, `document.querySelector(".functions .name").textContent`, `"compareByRank"`)
		p.Wait(`location.hash.includes("view=Functions")`)
		// Another selection keeps the tab, another view does not.
		p.Eval(`[...document.querySelectorAll(".tools button")].find((button) => button.textContent === "Framework functions").click()`)
		p.Wait(settled)
		says(t, p, `[document.querySelector("[aria-selected=true]").textContent, new URLSearchParams(location.search).get("ignored")]`, `["Functions","keep"]`)
		p.Eval(`history.back()`)
		p.Wait(`!location.search.includes("ignored") && ` + settled)
		p.Eval(`document.querySelector("tr[data-fn]").click()`)
		says(t, p, `document.querySelector(".onward a").textContent`, `"Trend of compareByRank"`)
		says(t, p, `document.querySelectorAll(".timeline").length`, "0")
		if links := must.JSON[[]string](t, p.Eval(`[...document.querySelectorAll(".menu a")].map((link) => new URLSearchParams(link.getAttribute("href").split("?")[1]).get("format"))`)); !slices.Contains(links, "pprof") || links[0] != "html" {
			t.Errorf("exports %q", links)
		}
		says(t, p, `fetch(document.querySelectorAll(".menu a")[2].href).then((response) => [response.status, response.headers.get("content-disposition").startsWith("attachment")])`, "[200,true]")
		for view, link := range map[string]string{"slow": "slice=", "examples": "example="} {
			show(p, "?app=shop&view="+view)
			p.Eval(`document.querySelector("td a[href*='` + link + `']").click()`)
			p.Wait(settled)
			says(t, p, tabs, `"Flame graph,Time order,Functions,Sandwich,Top down,Bottom up,Marks"`)
			says(t, p, `document.querySelectorAll(".timeline").length`, "1")
		}
		show(p, "?app=shop&view=compare")
		says(t, p, `[...document.querySelectorAll(".tools select")].map((list) => list.value)`, `["release","2.3.1","2.4.0"]`)
		p.Eval(`[...document.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === "Functions").click()`)
		says(t, p, `document.querySelector(".functions td.worse") !== null`, "true")
		quiet(t, p)
	})
}

// A view asks for everything at once, and shows what has come while the rest is on its way or
// has failed.
func TestPartsDoNotWait(t *testing.T) {
	s := memory.New()
	fill(t, s)
	gates := &gates{next: handler(s)}
	url := browser.Serve(t, browser.Site{Files: fstest.MapFS{}, Handler: gates}).URL
	browser.One(t, "firefox", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "?app=shop&view=budgets")
		gate := gates.of(must.JSON[string](t, p.Eval(`navigator.userAgent`)))
		p.Eval(`[...document.querySelectorAll("nav a")].find((link) => link.textContent === "Overview").click()`)
		// The shell is there before any answer, and no question waits for another.
		says(t, p, `[document.querySelector("[role=main] > h2").textContent, document.querySelectorAll("[aria-busy=true]").length]`, `["Overview",4]`)
		for range 4 {
			<-gate.arrived
		}
		gate.answers["functions"] <- http.StatusInternalServerError
		p.Wait(`document.querySelector(".failure")`)
		says(t, p, `document.querySelectorAll("[aria-busy=true]").length`, "3")
		gate.answers["slices"] <- http.StatusOK
		p.Wait(`document.querySelectorAll("[aria-busy=true]").length === 2 && document.querySelector(".ranking")`)
		close(gate.answers["overview"])
		p.Wait(`document.querySelectorAll("[aria-busy=true]").length === 0`)
		says(t, p, `[document.querySelectorAll(".failure").length, document.querySelectorAll(".card").length, document.querySelectorAll(".ranking").length]`, "[1,5,1]")
		p.Eval(`document.querySelector(".failure button").click()`)
		<-gate.arrived
		gate.answers["functions"] <- http.StatusOK
		p.Wait(settled)
		says(t, p, `[document.querySelectorAll(".failure").length, document.querySelectorAll(".ranking").length]`, "[0,2]")
	})
}

// An app without data says how to send it; a token without an app, where to name one.
func TestEmptyStates(t *testing.T) {
	url := serve(t, memory.New(), nil)
	browser.One(t, "webkit", func(t *testing.T, b *browser.Browser) {
		p := b.Open(url + "/")
		signIn(p, freshOnly)
		p.Wait(settled)
		show(p, "?app=fresh")
		p.Wait(`document.querySelector(".hint details[open]")`)
		if text := string(p.Eval(`document.querySelector(".hint").innerText`)); !strings.Contains(text, url+"/v1/profiles?key=KEY") {
			t.Error(text)
		}
		for _, view := range []string{"profile", "functions", "compare", "slow", "examples", "budgets"} {
			show(p, "?app=fresh&view="+view)
			says(t, p, `document.querySelectorAll(".hint").length > 0 && document.querySelectorAll(".failure").length === 0`, "true")
		}
		quiet(t, p)
	})
}

// Everything has a key, a name and a role; and a proxy may serve all of it below a prefix.
func TestKeysAndNames(t *testing.T) {
	s := memory.New()
	fill(t, s)
	mux := http.NewServeMux()
	mux.Handle("/field/", http.StripPrefix("/field", handler(s)))
	url := browser.Serve(t, browser.Site{Files: fstest.MapFS{}, Handler: mux}).URL + "/field"
	const first = `[...document.querySelectorAll("a, button, select, input, summary, [tabindex]")].find((control) => control.checkVisibility() && control.tabIndex >= 0).textContent`
	const nameless = `[...document.querySelectorAll("button, select, input, a, summary, canvas, svg, table, [role=region], dialog")].filter((control) => control.checkVisibility() && !control.textContent.trim() && !control.getAttribute("aria-label") && !control.title && !control.labels?.length).map((control) => control.outerHTML.slice(0, 80))`
	browser.One(t, "chromium", func(t *testing.T, b *browser.Browser) {
		p := signedIn(t, b, url, "?app=shop&view=profile")
		p.Eval(`void (window.press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))`)
		says(t, p, first, `"Skip to the content"`)
		p.Eval(`document.querySelector(".skip").click()`)
		says(t, p, `[document.activeElement.id, location.hash.includes("main")]`, `["main",false]`)
		p.Eval(`press("/")`)
		says(t, p, `document.activeElement.type`, `"search"`)
		p.Eval(`(document.activeElement.blur(), press("?"))`)
		says(t, p, `document.querySelector("dialog.keys").open`, "true")
		p.Eval(`document.querySelector("dialog.keys button").click()`)
		p.Eval(`(() => { const menu = document.querySelector(".menu"); menu.open = true; menu.querySelector("a").focus(); press("Escape"); })()`)
		says(t, p, `[document.querySelector(".menu").open, document.activeElement.tagName]`, `[false,"SUMMARY"]`)
		for _, view := range []string{"profile", "", "compare", "slow", "trend&name=decode", "examples"} {
			show(p, "?app=shop&view="+view)
			says(t, p, nameless, "[]")
			says(t, p, `document.querySelectorAll("h1").length === 1 && document.querySelectorAll("[role=main]").length === 1 && new Set([...document.querySelectorAll("[id]")].map(({ id }) => id)).size === document.querySelectorAll("[id]").length`, "true")
		}
		quiet(t, p)
	})
}
