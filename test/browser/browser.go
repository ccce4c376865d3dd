// Package browser runs pages in real browsers for tests: Chromium, Firefox and
// WebKitGTK.
//
//	func TestMain(m *testing.M) { browser.Main(m) }
//
//	func TestPage(t *testing.T) {
//		site := browser.Serve(t, browser.Site{Files: os.DirFS("testdata/page")})
//		browser.Each(t, func(t *testing.T, b *browser.Browser) {
//			page := b.Open(site.URL + "/index.html")
//			page.Wait("window.result")
//			if said := page.Said(); len(said.Errors) > 0 { … }
//		})
//	}
//
// One Node process (driver/driver.mjs) drives them all; it starts with the
// first page, and when the test process ends, however it ends, so do it and its
// browsers. Each browser starts once, and windows are used again: a page finds
// nothing of pages before it, in WebKit as far as they had other origins.
//
// A browser that is missing skips its tests, loudly; where CI is set it fails
// them.
//
// # Limits
//
// Messages of pages in WebKit are known only for pages that Serve serves, and
// there neither a failed fetch nor the console of a worker. Firefox reports no
// errors of shared and service workers, Chromium none of either's consoles:
// let a page collect what its workers say.
package browser

import (
	"encoding/json"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Browser is a running browser.
type Browser struct {
	Name string // chromium, firefox or webkit
	t    *testing.T
}

// names of the browsers, in the order of their tests.
var names = []string{"chromium", "firefox", "webkit"}

// Every runs a test in every browser, as subtests of the browsers' names. The subtests run at
// the same time, and Every returns when all have. It is for tests that share their work out
// among the browsers, or that all else rests on.
func Every(t *testing.T, test func(t *testing.T, b *Browser)) {
	t.Helper()
	in(t, names, test)
}

// Each runs a test in two of the browsers, whose turn the name of the whole test decides, or in
// every one with FIELDPROF_FULL=1.
func Each(t *testing.T, test func(t *testing.T, b *Browser)) {
	t.Helper()
	chosen := names
	if !isFull() {
		whole, _, _ := strings.Cut(t.Name(), "/")
		left := int(turn(whole) % uint32(len(names)))
		chosen = slices.Delete(Names(), left, left+1)
	}
	in(t, chosen, test)
}

// One runs a test in one browser, or in every one with FIELDPROF_FULL=1. It is for what is
// ours alone, such as the numbers on a page, and the same in all of them.
func One(t *testing.T, browser string, test func(t *testing.T, b *Browser)) {
	t.Helper()
	chosen := []string{browser}
	if isFull() {
		chosen = names
	}
	in(t, chosen, test)
}

// EachWay runs a test in every browser, on pages that share memory and on others, which is for
// the test to see to. WebKit's share none; of Chromium and Firefox one has the first way and one
// the second, as the test's name decides. With FIELDPROF_FULL=1 all have both.
func EachWay(t *testing.T, test func(t *testing.T, b *Browser, isolated bool)) {
	t.Helper()
	at := turn(t.Name()) % 2
	ways := map[bool][]string{true: {names[at]}, false: {names[1-at], "webkit"}}
	if isFull() {
		ways = map[bool][]string{true: names, false: names}
	}
	for isolated, chosen := range ways {
		t.Run(map[bool]string{true: "isolated", false: "plain"}[isolated], func(t *testing.T) {
			in(t, chosen, func(t *testing.T, b *Browser) { test(t, b, isolated) })
		})
	}
}

// turn is a number that a name always has, and others rarely.
func turn(name string) uint32 {
	sum := fnv.New32a()
	sum.Write([]byte(name))
	return sum.Sum32()
}

func isFull() bool { return os.Getenv("FIELDPROF_FULL") != "" }

func in(t *testing.T, chosen []string, test func(t *testing.T, b *Browser)) {
	t.Helper()
	var running sync.WaitGroup // t.Parallel would hold one back on a small machine
	for _, name := range chosen {
		running.Go(func() {
			t.Run(name, func(t *testing.T) {
				call(t, request{Op: "launch", Browser: name, Programs: need(t, name)}, nil)
				test(t, &Browser{Name: name, t: t})
			})
		})
	}
	running.Wait()
}

// Page is an open page. It closes at the end of its test.
type Page struct {
	t  *testing.T
	id int
}

// Open loads a page and returns after its load event.
func (b *Browser) Open(url string) *Page {
	b.t.Helper()
	page := &Page{t: b.t}
	call(b.t, request{Op: "open", Browser: b.Name, URL: url}, &page.id)
	b.t.Cleanup(page.Close)
	return page
}

// Eval gives the value of an expression, awaited, as JSON. An exception fails
// the test.
func (p *Page) Eval(expression string) json.RawMessage {
	p.t.Helper()
	var value json.RawMessage
	call(p.t, request{Op: "eval", Page: p.id, Expression: expression}, &value)
	return value
}

// patience is how long Wait waits for what never comes. It judges nothing: a busy
// machine is slow.
const patience = 5 * time.Minute

// Wait evaluates an expression until it is truthy, and gives its value.
func (p *Page) Wait(expression string) json.RawMessage {
	p.t.Helper()
	var value json.RawMessage
	call(p.t, request{Op: "wait", Page: p.id, Expression: expression, Limit: patience.Milliseconds()}, &value)
	return value
}

// Said is what a page said.
type Said struct {
	Console []Message `json:"console"`
	// Errors are uncaught exceptions, unhandled rejections and requests that
	// failed, each as a line that says which.
	Errors []string `json:"errors"`
}

// Message is one call of the console.
type Message struct {
	Level string `json:"level"`
	Text  string `json:"text"`
}

// Said gives what the page and its frames have said so far.
func (p *Page) Said() Said {
	p.t.Helper()
	var said Said
	call(p.t, request{Op: "said", Page: p.id}, &said)
	return said
}

// Errors gives the errors of Said.
func (p *Page) Errors() []string {
	p.t.Helper()
	return p.Said().Errors
}

// Quiet fails the test for each of them.
func (p *Page) Quiet() {
	p.t.Helper()
	for _, e := range p.Errors() {
		p.t.Error(e)
	}
}

// Click moves the mouse to a position in the window and clicks, as a person does.
func (p *Page) Click(x, y int) {
	p.t.Helper()
	call(p.t, request{Op: "click", Page: p.id, X: x, Y: y}, nil)
}

// Screenshot writes a picture of the page as a PNG file.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	if !strings.HasSuffix(path, ".png") {
		p.t.Fatalf("a screenshot is a .png file, not %s", path)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		p.t.Fatal(err)
	}
	call(p.t, request{Op: "screenshot", Page: p.id, Path: absolute}, nil)
}

// Close closes the page, once.
func (p *Page) Close() {
	p.t.Helper()
	if p.id == 0 {
		return
	}
	call(p.t, request{Op: "close", Page: p.id}, nil)
	p.id = 0
}
