// Package ui looks at the dashboard of the collector in real browsers.
package ui

import (
	"net/http"
	"path"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/api"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	dashboard "github.com/fieldprof/fieldprof/collect/ui"
	"github.com/fieldprof/fieldprof/test/browser"
)

func TestMain(m *testing.M) { browser.MainOnce(m) }

// Tokens: of everything, of the app that has nothing, and one that does not read.
const (
	token     = "token-of-the-shop-0123456789"
	freshOnly = "token-of-nothing-0123456789"
	uploads   = "token-that-uploads-0123456789"
)

// handler is a collector without ingest, at noon.
func handler(s store.Store) http.Handler {
	budgets := []answer.BudgetRow{
		{Name: "sorting", Measure: "self share of sortProducts", Unit: "%", Max: 10, Value: 14.2, Margin: 0.8, Broken: true, Since: noon.Add(-3 * time.Hour), Checked: noon.Add(-time.Minute)},
		{Name: "interactions", Measure: "p75 INP", Unit: "ms", Max: 500, Value: 240, Margin: 31, Checked: noon.Add(-time.Minute)},
	}
	shop := func(app string) []answer.BudgetRow {
		if app != "shop" {
			return nil
		}
		return budgets
	}
	questions := api.New(api.Options{
		Answers: answer.New(s, answer.Options{}), Store: s, Now: func() time.Time { return noon }, Budgets: shop,
		Config: &config.Config{
			Apps:   []config.App{{Name: "shop"}, {Name: "fresh"}},
			Tokens: []config.Token{{Text: token, Read: true}, {Text: freshOnly, Read: true, Apps: []string{"fresh"}}, {Text: uploads, Upload: true}},
		},
	})
	mux := http.NewServeMux()
	mux.Handle("/api/", questions)
	mux.Handle("/", dashboard.Handler())
	return mux
}

// serve starts it, and gives its address.
func serve(t *testing.T, s store.Store, files fstest.MapFS) string {
	t.Helper()
	if files == nil {
		files = fstest.MapFS{}
	}
	return browser.Serve(t, browser.Site{Files: files, Handler: handler(s)}).URL
}

func shop(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	s := memory.New()
	fill(t, s)
	return serve(t, s, files)
}

// signedIn opens a page of the dashboard with a session.
func signedIn(t *testing.T, b *browser.Browser, url, address string) *browser.Page {
	t.Helper()
	p := b.Open(url + "/")
	signIn(p, token)
	p.Wait(settled)
	if address != "" {
		show(p, address)
	}
	return p
}

func signIn(p *browser.Page, token string) {
	signOut(p)
	p.Eval(`(() => {
		document.querySelector("#token").value = "` + token + `";
		document.querySelector("form.signin").requestSubmit();
	})()`)
	p.Wait(`!document.querySelector("form.signin")`)
}

// signOut ends a session that another test has left: in WebKit all pages share their cookies.
func signOut(p *browser.Page) {
	p.Wait(`document.querySelector("form.signin") || document.documentElement.dataset.view`)
	p.Eval(`document.querySelector("form.signin") || [...document.querySelectorAll("button")].find((button) => button.textContent === "Sign out").click()`)
	p.Wait(`document.querySelector("form.signin")`)
}

// show goes to another address of the dashboard, as its links do.
func show(p *browser.Page, address string) {
	p.Eval(`(() => { const link = document.createElement("a"); link.href = "` + address + `"; document.body.append(link); link.click(); link.remove(); })()`)
	p.Wait(settled)
}

// settled is true when every part of the view has what it asked for.
const settled = `document.documentElement.dataset.view && !document.querySelector("[aria-busy=true]") && document.querySelector("[role=main] > h2")`

// gates are in front of a collector and hold back the answers of the overview, for the browsers that
// have one.
type gates struct {
	next http.Handler
	mu   sync.Mutex
	all  map[string]*gate // by user agent
}

// gate holds back questions until their answer is allowed or replaced by a failure.
type gate struct {
	arrived chan string
	answers map[string]chan int // by question: the status; closed when all are allowed
}

func (g *gates) of(agent string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all == nil {
		g.all = map[string]*gate{}
	}
	g.all[agent] = &gate{make(chan string, 9), map[string]chan int{"overview": make(chan int), "functions": make(chan int), "slices": make(chan int)}}
	return g.all[agent]
}

func (g *gates) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	at := g.all[r.UserAgent()]
	g.mu.Unlock()
	if question := path.Base(r.URL.Path); at != nil && at.answers[question] != nil {
		at.arrived <- question
		if status := <-at.answers[question]; status >= 400 {
			http.Error(w, `{"error":"the store is away"}`, status)
			return
		}
	}
	g.next.ServeHTTP(w, r)
}
