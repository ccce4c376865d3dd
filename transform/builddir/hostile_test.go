package builddir

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// neighbours are the names next to a directory, itself included.
func neighbours(t testing.TB, dir string) []string {
	t.Helper()
	entries := must.Get(os.ReadDir(filepath.Dir(dir)))(t)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// isBeside reports what is next to a directory if it is not what it should be.
func isBeside(t testing.TB, dir string, want ...string) {
	t.Helper()
	if got := neighbours(t, dir); !slices.Equal(got, want) {
		t.Errorf("beside the tree is %q, want %q", got, want)
	}
}

// Sources and URLs in maps and scripts lead out of the tree; nothing is read or
// written there.
func TestNothingLeavesTheTree(t *testing.T) {
	in := site{
		"a.js":     loop("a") + "//# sourceMappingURL=../outside.js.map",
		"b.js":     loop("b") + "//# sourceMappingURL=/../../outside.js.map",
		"c.js":     loop("c") + "//# sourceMappingURL=file:///etc/passwd",
		"d.js":     loop("d") + "//# sourceMappingURL=..%2f..%2foutside.js.map",
		"e.js":     loop("e") + "//# sourceMappingURL=e.js.map",
		"e.js.map": `{"version":3,"file":"../../e.js","sourceRoot":"../../..","sources":["../../etc/passwd","/etc/passwd"],"names":[],"mappings":"AAAA,SAACC"}`,
		"p.html":   `<script src="../outside.js"></script><script src="/../../outside.js"></script><base href="/../../"><script src="..%2foutside.js"></script>`,
	}
	dir := in.write(t)
	outside := filepath.Join(filepath.Dir(dir), "outside.js")
	for name, text := range map[string]string{outside: loop("outside"), outside + ".map": `{"version":3,"sources":["secret.ts"],"names":[],"mappings":"AAAA"}`} {
		must.WriteFile(t, name, text)
	}
	must.Get(Run(context.Background(), Options{Input: dir}))(t)
	isBeside(t, dir, "dist", "dist-profiled", "outside.js", "outside.js.map")
	if text, _ := os.ReadFile(outside); string(text) != loop("outside") {
		t.Error("a file outside changed")
	}
	for p, text := range must.ReadTree(t, dir+"-profiled") {
		if strings.Contains(text, "secret.ts") {
			t.Errorf("%s has what stands outside", p)
		}
	}
}

// A new map goes where nothing else is, whatever scripts say about their own maps.
func TestMapsFindAPlace(t *testing.T) {
	in := site{
		"missing.js":       loop("missing") + "//# sourceMappingURL=gone.map",
		"missing2.js":      loop("missing2") + "//# sourceMappingURL=gone.map",
		"folder.js":        loop("folder") + "//# sourceMappingURL=folder/",
		"folder/x.js":      loop("x"),
		"under.js":         loop("under") + "//# sourceMappingURL=missing.js/under.map",
		"table.js":         loop("table") + "//# sourceMappingURL=missing.js.functions.json",
		"runtime.js":       loop("runtime") + "//# sourceMappingURL=fieldprof/runtime.js",
		"manifest.js":      loop("manifest") + "//# sourceMappingURL=fieldprof/manifest.json",
		"page.js":          loop("page") + "//# sourceMappingURL=index.html",
		"index.html":       "<script src=page.js></script>",
		"long.js":          loop("long") + "//# sourceMappingURL=" + strings.Repeat("x", 300) + ".map",
		"nul.js":           loop("nul") + "//# sourceMappingURL=a%00b.map",
		"swap1.js":         loop("swap1") + "//# sourceMappingURL=swap2.js.map",
		"swap2.js":         loop("swap2"),
		"swap2.js.map":     `{"version":3,"sources":["two.ts"],"names":[],"mappings":"AAAA"}`,
		"dir.js":           loop("dir"),
		"dir.js.map/x.txt": "a folder of the map's name",
	}
	out, _ := in.instrument(t, Options{})
	used := map[string]string{}
	for p := range in {
		if !strings.HasSuffix(p, ".js") {
			continue
		}
		url := sourcemap.URL([]byte(out[p]))
		if url == "" {
			url = p[strings.LastIndex(p, "/")+1:] + ".map"
		}
		at := p[:strings.LastIndex(p, "/")+1] + url
		if other := used[at]; other != "" {
			t.Errorf("%s and %s share the map %s", p, other, at)
		}
		used[at] = p
		m, err := sourcemap.Parse([]byte(out[at]))
		if err != nil {
			t.Errorf("%s: its map at %.80s: %v", p, at, err)
			continue
		}
		if source := m.Source(0); source != cleanName(p) && source != "two.ts" {
			t.Errorf("%s: its map at %s leads to %s", p, at, source)
		}
	}
	if out["fieldprof/runtime.js"] == "" || strings.Contains(out["fieldprof/runtime.js"], `"mappings"`) {
		t.Error("a map took the place of the runtime")
	}
}

// Names that shells, URLs and terminals stumble over.
func TestOddNames(t *testing.T) {
	in := site{
		"new\nalert(1)\n.js":              loop("a"),
		"carriage\r.js":                   loop("b"),
		`quote"'<b>&amp;.js`:              loop("c"),
		"ünïcödé 漢字 😀.js":                 loop("d"),
		"\u2028line.js":                   loop("e"),
		"\x1b[31mred.js":                  loop("f"),
		"scheme:x.js":                     loop("p"),
		"percent%2e%2e.js":                loop("g"),
		`back\slash.mjs`:                  "export " + loop("h"),
		"*/star.js":                       loop("i"),
		"-rf.js":                          loop("j"),
		" .js":                            loop("k"),
		"bytes\xff\xfe.js":                loop("l"),
		strings.Repeat("n", 230) + ".js":  loop("m"),
		strings.Repeat("n", 250) + ".js":  loop("n"),
		strings.Repeat("n", 248) + ".mjs": "import 'x';" + loop("o"),
	}
	out, report := in.instrument(t, Options{})
	for p, src := range in {
		got := out[p]
		if len(p) > 240 {
			if got != src {
				t.Errorf("%.20s… has no room for its table and changed", p)
			}
			continue
		}
		if got == src || !embeds(got, src) {
			t.Errorf("%q: %q", p, got)
			continue
		}
		said := sourcemap.URL([]byte(got))
		if u, err := url.Parse(said); err != nil || u.Scheme != "" || u.Path != path.Base(p)+".map" && u.Path != "./"+path.Base(p)+".map" {
			t.Errorf("%q: the URL of its map is %q", p, said)
		}
		if out[p+".map"] == "" || out[p+".functions.json"] == "" {
			t.Errorf("%q has no map or table", p)
		}
	}
	if len(report.Warnings) != 2 {
		t.Errorf("warnings: %v", report.Warnings)
	}
}

// Maps are bounded by their size, not by what they say.
func TestHugeMaps(t *testing.T) {
	if testing.Short() {
		t.Skip("maps of many megabytes")
	}
	sections := strings.Repeat(`{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["s"],"names":[],"mappings":"A"}},`, 50_000)
	for name, text := range map[string]string{
		"sections":   `{"version":3,"sections":[` + sections + `{"offset":{"line":9,"column":0},"map":{"version":3,"sources":["s"],"names":[],"mappings":"AAAA"}}]}`,
		"semicolons": `{"version":3,"sources":["s"],"names":[],"mappings":"` + strings.Repeat(";", 16<<20) + `"}`,
		"commas":     `{"version":3,"sources":["s"],"names":[],"mappings":"` + strings.Repeat(",", 12<<20) + `"}`,
		"nested":     strings.Repeat(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":`, 100_000) + "0",
		"numbers":    `{"version":3,"sources":["s"],"names":[],"mappings":"` + strings.Repeat("g", 3<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			out, report := site{"a.js": loop("a"), "a.js.map": text}.inMemory(t, Options{NoSizes: true})
			if out["a.js"] == loop("a") {
				t.Error("the script was not instrumented")
			}
			t.Logf("%v, warnings %.200v", time.Since(began), report.Warnings)
		})
	}
}

// Pages are read in a time that grows as they do.
func TestHugePage(t *testing.T) {
	if testing.Short() {
		t.Skip("a page of 12 MB")
	}
	var b strings.Builder
	b.WriteString("<!doctype html>\r\n<meta http-equiv=content-security-policy content=\"script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='\">")
	inline := 0
	for ; b.Len() < 12<<20; inline++ {
		fmt.Fprintf(&b, "<p>%d %s</p>\r\n<script>%s</script>", inline, strings.Repeat("text ", 500), loop(fmt.Sprintf("f%d", inline)))
	}
	out, report := site{"index.html": b.String()}.inMemory(t, Options{NoSizes: true})
	if n := strings.Count(out["index.html"], "(_$f[1]=_$f[0])"); n < inline {
		t.Errorf("%d checks in %d scripts", n, inline)
	}
	if report.CheckedFunctions != inline {
		t.Errorf("%d of %d functions are checked", report.CheckedFunctions, inline)
	}
}
