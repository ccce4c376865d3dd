package site

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/test/browser"
)

// In front of Vite's dev server a page works as without us: modules are replaced while it
// runs and keep their state, in any number of reloads, and every place in the code is
// known by its original name. Without FIELDPROF_FULL=1 only Chromium reloads often.
func TestDevServer(t *testing.T) {
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		s, root := developed(t)
		page := b.Open(s.url + "/")
		s.check(t, page, "one 0")
		s.waitFor(t, "page", "/")
		s.waitFor(t, "worker", "/src/worker.ts")
		for range 3 {
			page.Eval(`document.querySelector("#add").click()`)
		}
		page.Wait(`document.querySelector("#add").textContent === "one 3"`)

		file := filepath.Join(root, "src", "Counter.tsx")
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Replace("\n\n"+string(source), "'one'", "'two'", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		s.check(t, page, "two 3")
		reloads := 2
		if b.Name == "chromium" || os.Getenv("FIELDPROF_FULL") != "" {
			reloads = 10
		}
		for i := range reloads {
			page.Eval(`void (window.stack = "", setTimeout(() => location.reload()))`)
			page.Wait(`window.stack`)
			s.check(t, page, "two 0")
			if t.Failed() {
				t.Fatalf("after reload %d", i+1)
			}
		}
		if errors := page.Errors(); len(errors) > 0 {
			t.Errorf("the page says %q", errors)
		}
	})
}

// check compares what a page shows, and whether its code is known.
func (s *served) check(t *testing.T, page *browser.Page, shows string) {
	t.Helper()
	page.Wait(`document.querySelector("#add")?.textContent === ` + quote(shows) + ` && window.second && window.worker`)
	var seen struct {
		Stack   string
		Runtime string
		Second  int
		Worker  struct{ Runtime, Stack string }
	}
	if err := json.Unmarshal(page.Eval(`({stack, runtime: typeof __fieldprof, second, worker})`), &seen); err != nil {
		t.Fatal(err)
	}
	if seen.Runtime != "object" || seen.Second != 42 || seen.Worker.Runtime != "object" {
		t.Errorf("the page has %+v", seen)
	}
	for _, stack := range []string{seen.Stack, seen.Worker.Stack} {
		if name, source := s.placeOf(t, stack); name != "where" || source != "/src/deep/place.ts" {
			t.Errorf("%s is %s of %s", stack, name, source)
		}
	}
	// The caller, further out on the page's stack.
	at := strings.Index(seen.Stack, "Counter.tsx")
	if at < 0 {
		t.Fatalf("no Counter on %s", seen.Stack)
	}
	outer := seen.Stack[strings.LastIndex(seen.Stack[:at], "http"):]
	if name, source := s.placeOf(t, outer); name != "Counter" || source != "/src/Counter.tsx" {
		t.Errorf("%s is %s of %s", outer, name, source)
	}
	if text, ok := s.Text("/src/Counter.tsx"); !ok || !strings.Contains(text, "'"+shows[:3]+"'") {
		t.Errorf("the source of Counter is %q", text)
	}
}

func quote(s string) string {
	q, _ := json.Marshal(s)
	return string(q)
}
