package builddir

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// fails runs and wants an error with that text, nothing left, and the input
// unchanged.
func fails(t *testing.T, dir string, options Options, want string) {
	t.Helper()
	before := readRegular(t, dir)
	beside := neighbours(t, dir)
	options.Input = dir
	_, err := Run(context.Background(), options)
	must.Fail(t, err, want)
	isBeside(t, dir, beside...)
	must.Match(t, "the input", readRegular(t, dir), before)
}

// readRegular reads what can be read of a tree.
func readRegular(t *testing.T, dir string) site {
	t.Helper()
	s := site{}
	filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			data, _ := os.ReadFile(name)
			s[name] = string(data)
		}
		return nil
	})
	return s
}

func TestTreeWithOurNames(t *testing.T) {
	for want, in := range map[string]site{
		"fieldprof/x.txt: the folder fieldprof is where the runtime goes": {"a.js": loop("a"), "fieldprof/x.txt": "mine"},
		"fieldprof: the runtime needs a folder":                           {"a.js": loop("a"), "fieldprof": "mine"},
		"a.js.functions.json is where the function table":                 {"a.js": loop("a"), "a.js.functions.json": "mine"},
		"b.html.functions.json is where the function table":               {"b.html": "", "b.html.functions.json/x": "mine"},
		"instrumented already":                                            {"a.js": loop("a"), "fieldprof/manifest.json": "{}"},
	} {
		fails(t, in.write(t), Options{}, want)
		fails(t, in.write(t), Options{InPlace: true}, want)
	}
	out, _ := site{"a.js": loop("a"), "lib/fieldprof/x.js": loop("x"), "Fieldprofs/y.js": loop("y")}.instrument(t, Options{})
	if out["lib/fieldprof/x.js"] == loop("x") {
		t.Error("a folder of this name elsewhere is not ours")
	}
}

// Files to which a bundler still writes vanish or change.
func TestTreeThatChanges(t *testing.T) {
	big := strings.Repeat(loop("big"), 100)
	for want, change := range map[string]func(dir string) error{
		"no such file": func(dir string) error { return os.Remove(filepath.Join(dir, "later.js")) },
		"later.js changed while it was being read": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "later.js"), []byte("var _$f;"+loop("later")), 0o644)
		},
		"data.txt: no such file": func(dir string) error { return os.Remove(filepath.Join(dir, "data.txt")) },
		"is a directory": func(dir string) error {
			name := filepath.Join(dir, "later.js")
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.Mkdir(name, 0o755)
		},
		"escapes from parent": func(dir string) error {
			name := filepath.Join(dir, "data.txt")
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.Symlink("/etc/passwd", name)
		},
	} {
		for _, inPlace := range []bool{false, true} {
			dir := site{"big.js": big, "later.js": loop("later"), "data.txt": "data"}.write(t)
			beside := neighbours(t, dir)
			changed := false
			_, err := Run(context.Background(), Options{Input: dir, InPlace: inPlace, Workers: 1, Progress: func(done, total Amount) {
				if !changed {
					changed = true
					if err := change(dir); err != nil {
						t.Error(err)
					}
				}
			}})
			must.Fail(t, err, want)
			isBeside(t, dir, beside...)
			if text, _ := os.ReadFile(filepath.Join(dir, "big.js")); string(text) != big {
				t.Errorf("%s: the input changed", want)
			}
		}
	}
}

func TestTreeWithLinks(t *testing.T) {
	dir := site{"real/a.js": loop("a"), "app.html": `<script src="linked/a.js"></script><script>` + loop("inline") + `</script>`}.write(t)
	for name, target := range map[string]string{"linked": "real", "index.html": "app.html", "latest.js": "real/a.js", "real/up": "..", "chain": "linked"} {
		must.Do(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	must.Do(t, os.Link(filepath.Join(dir, "real/a.js"), filepath.Join(dir, "hard.js")))
	for _, inPlace := range []bool{false, true} {
		report := must.Get(Run(context.Background(), Options{Input: dir, InPlace: inPlace}))(t)
		read := func(name string) string { return string(must.Get(os.ReadFile(filepath.Join(report.Output, name)))(t)) }
		if target, _ := os.Readlink(filepath.Join(report.Output, "index.html")); target != "app.html" {
			t.Errorf("index.html leads to %q", target)
		}
		if a := read("real/a.js"); a == loop("a") || read("latest.js") != a || read("chain/up/linked/a.js") != a || read("hard.js") == loop("a") {
			t.Error("links do not lead to the instrumented script")
		}
		must.Contain(t, "a page that names its script through a link", read("index.html"), "fieldprof/runtime.js")
		if read("latest.js.functions.json") != read("real/a.js.functions.json") || read("index.html.functions.json") != read("app.html.functions.json") {
			t.Error("links do not lead to the function tables")
		}
	}
	for target, want := range map[string]string{"..": "leads out", "/etc": "leads out", "gone": "nowhere", "odd": "circle"} {
		dir := site{"a.js": loop("a")}.write(t)
		must.Do(t, os.Symlink(target, filepath.Join(dir, "odd")))
		fails(t, dir, Options{}, want)
	}
}

// In a sampled output every link leads somewhere, and those to pages stay with them.
func TestSampledTreeWithLinks(t *testing.T) {
	in := site{"app.html": `<!doctype html><script src="latest.js"></script><script src="/linked/a.js"></script>`, "app.html.gz": "old", "a.js": loop("a"), "real/a.js": loop("real")}
	dir := in.write(t)
	for name, target := range map[string]string{"index.html": "app.html", "index.html.gz": "app.html.gz", "latest.js": "a.js", "linked": "real"} {
		must.Do(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	out := must.Get(Run(context.Background(), Options{Input: dir, Sample: 0.5}))(t).Output
	must.Do(t, filepath.WalkDir(out, func(p string, entry fs.DirEntry, err error) error {
		if _, gone := os.Stat(p); gone != nil {
			t.Error(gone)
		}
		return err
	}))
	page := string(must.Get(os.ReadFile(filepath.Join(out, "index.html")))(t))
	must.Contain(t, "the page", page, `"./fieldprof/profiled/latest.js"`, `"/fieldprof/profiled/linked/a.js"`)
	for _, name := range []string{"latest.js", "latest.js.functions.json", "linked/a.js"} {
		if !must.Exists(filepath.Join(out, variant(name))) {
			t.Errorf("the variant has no %s", name)
		}
	}
}

func TestNamesThatDifferInCase(t *testing.T) {
	out, report := site{"app.js": loop("a"), "App.js": loop("b"), "APP.JS": loop("c"), "i.HTML": "<script src=App.js></script>"}.instrument(t, Options{})
	if report.Instrumented != 4 || !embeds(out["App.js"], loop("b")) || !embeds(out["APP.JS"], loop("c")) {
		t.Errorf("%d are instrumented: %q", report.Instrumented, slices.Sorted(maps.Keys(out)))
	}
}

// Compressed files follow the one they were made from, and only that.
func TestCompressedSiblings(t *testing.T) {
	in := site{
		"a.js": loop("a"), "a.js.gz": string(gzipped([]byte(loop("a")))), "a.js.br": string(brotlied([]byte(loop("a")))), "a.js.zst": "old",
		"plain.js": "var x", "plain.js.gz": "what it was", "alone.js.gz": "no original", "a.js.gz.gz": "twice", "crlf.html": "<!doctype html>\r\n<script src=a.js>\r\n</script>\r\n", "crlf.html.gz": "old",
	}
	out, _ := in.instrument(t, Options{})
	for _, p := range []string{"plain.js.gz", "alone.js.gz"} {
		if out[p] != in[p] {
			t.Errorf("%s changed", p)
		}
	}
	if out["a.js.gz"] != string(gzipped([]byte(out["a.js"]))) || out["crlf.html.gz"] != string(gzipped([]byte(out["crlf.html"]))) {
		t.Error("a .gz is not that of its file")
	}
	if _, ok := out["a.js.zst"]; ok {
		t.Error("a stale .zst stayed")
	}
	if _, ok := out["a.js.gz.gz"]; ok && out["a.js.gz.gz"] == "twice" {
		t.Error("a stale .gz.gz stayed")
	}
	if !strings.HasSuffix(out["crlf.html"], ">\r\n</script>\r\n") || !strings.HasPrefix(out["crlf.html"], "<!doctype html>\r\n<script src") {
		t.Errorf("line ends changed: %q", out["crlf.html"])
	}
}

func TestDeepTree(t *testing.T) {
	deep := strings.Repeat("d/", 300)
	out, _ := site{deep + "a.mjs": `import"./a.mjs";` + loop("a"), deep + "index.html": "<script type=module src=a.mjs></script>"}.instrument(t, Options{Embed: []string{deep + "a.mjs"}})
	must.Contain(t, "the module", out[deep+"a.mjs"], `from"`+strings.Repeat("../", 300)+`fieldprof/module.js"`)
}

// A directory may have more files than a process may usually open; with FIELDPROF_FULL=1 it
// has 20,000.
func TestManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand files")
	}
	many := 1200 // usually it may open 1024
	if os.Getenv("FIELDPROF_FULL") != "" {
		many = 20_000
	}
	in := site{}
	for i := range many {
		in[fmt.Sprintf("%d/%d.js", i%100, i)] = loop("f")
	}
	report := must.Get(Run(t.Context(), Options{Input: in.write(t), NoSizes: true}))(t)
	if report.Instrumented != many {
		t.Errorf("%d are instrumented", report.Instrumented)
	}
}
