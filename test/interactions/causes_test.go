package interactions

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/interactions/site"
	"github.com/fieldprof/fieldprof/transform"
)

// repetitions are more than a cause needs to be named on any machine. How many of them name
// it is a measure of the bench (interactions).
const repetitions = 20

// Every cause gets a slice whose first function is the cause, in pages that share no memory.
func TestCauses(t *testing.T) {
	find := func(s shop) func(t *testing.T, b *browser.Browser) {
		return func(t *testing.T, b *browser.Browser) {
			page := s.visit(t, b, "")
			for _, c := range site.Causes {
				name(t, page, c)
			}
			page.Quiet()
		}
	}
	t.Run("balanced", func(t *testing.T) { browser.Each(t, find(serveShop(t, transform.Balanced, true))) })
	t.Run("fine", func(t *testing.T) { browser.One(t, "firefox", find(serveShop(t, transform.Fine, true))) })
}

// name clicks until a slice names the cause.
func name(t *testing.T, page *browser.Page, c site.Cause) {
	t.Helper()
	var seen []string
	for range repetitions {
		click(t, page, c.ID)
		for _, s := range await(t, page) {
			// The explanation names what has half of the busy time: on a machine that takes long
			// to paint that may be a caller.
			if !slices.Contains(c.Names, s.first()) || !strings.Contains(s.Text, s.first()) {
				seen = append(seen, s.String())
				continue
			}
			if s.Slice.What == "interaction" && !c.Later && !strings.Contains(s.Slice.Target, c.ID) {
				t.Errorf("%s: the target is another one: %v", c.What, &s)
			}
			return
		}
	}
	t.Errorf("%s: no slice and its explanation name one of %q first:\n%s", c.What, c.Names, strings.Join(seen, "\n"))
}

// A third party's script without checks is not blamed on anyone else.
func TestThirdPartyWithoutChecks(t *testing.T) {
	s := serveShop(t, transform.Balanced, false)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := s.visit(t, b, "")
		click(t, page, "offers")
		for found := false; !found; {
			for _, s := range await(t, page) {
				if s.Slice.What != "interaction" || s.Slice.Name != "click" { // a busy machine is slow with other things
					continue
				}
				found = true
				if s.first() != "" && s.Blame.Functions[0].Group == "own" {
					t.Errorf("a function of the page is blamed: %v", &s)
				}
				if s.Blame.Groups["other"]+s.Blame.Groups["third-party"] == 0 {
					t.Errorf("the time is not there: %v", &s)
				}
			}
		}
		page.Quiet()
	})
}

// A page that is never slow gives no slices.
func TestNothingSlow(t *testing.T) {
	s := serveShop(t, transform.Balanced, true)
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := s.visit(t, b, "thresholds: { interaction: Infinity, 'long-frame': Infinity, 'long-task': Infinity, load: Infinity, navigation: Infinity }")
		for _, c := range site.Causes {
			click(t, page, c.ID)
			page.Eval("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
		}
		if got := string(page.Eval("observing.slices().then((all) => all.length + slices.length)")); got != "0" {
			t.Errorf("%s slices of what is never slow", got)
		}
		page.Quiet()
	})
}
