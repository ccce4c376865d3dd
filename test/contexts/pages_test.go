package contexts

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

func TestMain(m *testing.M) { browser.Main(m) }

// arming keeps the flag of a realm up.
const arming = `
;(() => { const c = globalThis.__fieldprof; c.recorder = () => { c.flag[0] = 1; if (globalThis.parent) parent.captured = true; }; c.flag[0] = 1; })();`

// TestPages visits 20 pages in two browsers, 400 in three with FIELDPROF_FULL=1.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of frames")
	}
	count, seed := 20, uint64(3)
	if os.Getenv("FIELDPROF_FULL") != "" {
		count, seed = 400, 4
	}
	g := newGenerator(seed)
	files := fstest.MapFS{"drive.html": {Data: must.Get(os.ReadFile("testdata/drive.html"))(t)}}
	trees := map[string][]map[string]string{}
	for i := range count {
		original := g.page()
		profiled := instrument(t, original, builddir.Options{Selection: selections[i%len(selections)]})
		for how, page := range map[string]map[string]string{
			"original": original, "idle": profiled, "armed": armed(profiled),
			"counting": instrument(t, original, builddir.Options{Selection: counting}),
		} {
			trees[how] = append(trees[how], page)
			put(files, fmt.Sprintf("%s/%d/", how, i), page)
		}
	}
	site := browser.Serve(t, browser.Site{Files: files})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		want := visit(b, site.URL, "original", count)
		for _, how := range []string{"idle", "armed", "counting"} {
			got := visit(b, site.URL, how, count)
			for i, said := range got.Said {
				was := want.Said[i]
				if b.Name == "webkit" && hasModules(trees["original"][i]) {
					said, was = unordered(said), unordered(was)
				}
				if said != was {
					t.Errorf("page %d, %s: it says\n%s\nand the original\n%s\n%s", i, how, said, was, written(trees["original"][i], trees[how][i]))
				}
			}
			if got.Captured != (how == "armed") {
				t.Errorf("%s: that checks capture is %v", how, got.Captured)
			}
		}
	})
}

// hasModules reports whether a page has several scripts that are modules. WebKit runs the jobs of
// the first before the second one, or after it if that has come already.
func hasModules(files map[string]string) bool {
	return strings.Count(strings.ToLower(files["index.html"]), "module") > 1
}

// unordered is what a page says, each list of it in order of the alphabet.
func unordered(said string) string {
	var lists [][2]any // names and the messages under them
	if json.Unmarshal([]byte(said), &lists) != nil {
		return said // that its first script did not run
	}
	for _, list := range lists {
		if lines, ok := list[1].([]any); ok {
			slices.SortFunc(lines, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
	return fmt.Sprint(lists)
}

// visited is what pages say.
type visited struct {
	Said     []string
	Captured bool
}

// visit opens all pages of a variant, in frames of one page.
func visit(b *browser.Browser, url, variant string, count int) (all visited) {
	page := b.Open(url + "/drive.html")
	defer page.Close()
	page.Eval(fmt.Sprintf("void drive(%q, %d).then((all) => (globalThis.all = all))", variant, count))
	if err := json.Unmarshal(page.Wait("globalThis.all"), &all); err != nil {
		panic(err)
	}
	return all
}

func put(files fstest.MapFS, prefix string, texts map[string]string) {
	for p, text := range texts {
		files[prefix+p] = &fstest.MapFile{Data: []byte(text)}
	}
}

// armed is a build whose checks all capture. Pages with a policy vouch for the runtime by
// its hash.
func armed(files map[string]string) map[string]string {
	out := map[string]string{}
	var hashes []string
	for p, text := range files {
		switch p {
		case "fieldprof/runtime.js", "fieldprof/module.js", "fieldprof/checks.js", "fieldprof/checks.mjs":
			hashes = append(hashes, browser.Hash(text), browser.Hash(text+arming))
			text += arming
		}
		out[p] = text
	}
	out["index.html"] = strings.NewReplacer(hashes...).Replace(out["index.html"])
	return out
}

// written are a page's files, before and after.
func written(original, instrumented map[string]string) string {
	var b bytes.Buffer
	for p, text := range original {
		text, became := strings.ReplaceAll(text, many, "MANY"), instrumented[p]
		fmt.Fprintf(&b, "%s:\n%s\nbecame\n%s\n", p, strings.Replace(text, pagePrelude, "PRELUDE", 1), became)
	}
	return b.String()
}
