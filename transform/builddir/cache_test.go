package builddir

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A run that knows the last one gives what one that knows nothing gives,
// whatever changed between the two.
func TestCacheChangesNothing(t *testing.T) {
	base := site{
		"index.html": `<script src=a.js></script><script src=b.js></script>`,
		"a.js":       loop("a") + "//# sourceMappingURL=a.js.map\n", "b.js": loop("b"), "m.mjs": "export " + loop("m"),
		"a.js.map": `{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}`,
		"sw.js":    `self.x([{url:"b.js",revision:null}]);` + loop("sw"),
	}
	steps := map[string]site{
		"nothing":          {},
		"a script":         {"b.js": loop("b") + loop("more")},
		"a map":            {"a.js.map": `{"version":3,"sources":["z.ts"],"names":[],"mappings":"AAAA"}`},
		"names in use":     {"b.js": "let _$f = 1;" + loop("b")},
		"a page":           {"index.html": `<script src=a.js></script><script type=module src=b.js></script>`},
		"a script is gone": {"b.js": ""},
		"another":          {"c/c.js": loop("c")},
		"no page":          {"index.html": ""},
	}
	for name, change := range steps {
		t.Run(name, func(t *testing.T) {
			changed := maps.Clone(base)
			for p, text := range change {
				if changed[p] = text; text == "" {
					delete(changed, p)
				}
			}
			cache := &Cache{}
			for _, s := range []site{base, changed, base, changed} {
				want, wanted := s.inMemory(t, Options{})
				got, report := s.inMemory(t, Options{Cache: cache})
				must.Match(t, "with the cache", got, want)
				if !slices.Equal(report.Warnings, wanted.Warnings) || report.CheckedFunctions != wanted.CheckedFunctions || report.Sizes != wanted.Sizes {
					t.Errorf("the report with the cache is %+v\nwithout %+v", report, wanted)
				}
			}
		})
	}
}

// Nor does it where a large script changed in one place, and the rest is
// remembered.
func TestCacheOfLargeScripts(t *testing.T) {
	var text strings.Builder
	for i := 0; text.Len() < 400<<10; i++ {
		fmt.Fprintf(&text, "// src/module%d.js\nfunction f%[1]d(a) {\n  for (const x of a) g(x);\n  return () => { while (a) a = h(a); };\n}\nvar v%[1]d = f%[1]d([]);\n", i)
	}
	base := text.String()
	cache := &Cache{}
	for i, at := range []int{0, 0, len(base) / 2, len(base) / 3, len(base) - 1} {
		at += strings.IndexByte(base[at:], '\n') + 1
		big := base[:at] + strings.Repeat("function added() { for (;;) g(); }\n", i) + base[at:]
		tree := site{"big.js": big, "big.js.map": `{"version":3,"sources":["a.ts"],"names":[],"mappings":"` + strings.Repeat("AACA;", strings.Count(big, "\n")) + `"}`}
		want, _ := tree.inMemory(t, Options{})
		got, _ := tree.inMemory(t, Options{Cache: cache})
		must.Match(t, fmt.Sprintf("change %d, with the cache", i), got, want)
		if want["big.js"] == big {
			t.Error("there are no checks")
		}
	}
}

// A file that did not change is not made again: its result is the very same memory.
func TestCacheKeepsWhatDidNotChange(t *testing.T) {
	cache := &Cache{}
	find := func(in site, p string) *byte {
		files, _, err := Files(context.Background(), in.files(), Options{Cache: cache})
		must.Do(t, err)
		return &files[slices.IndexFunc(files, func(f File) bool { return f.Path == p })].Data[0]
	}
	first := find(site{"a.mjs": "export " + loop("a"), "b.mjs": "export " + loop("b")}, "a.mjs")
	if find(site{"a.mjs": "export " + loop("a"), "b.mjs": "export " + loop("c")}, "a.mjs") != first {
		t.Error("a.mjs was made again")
	}
	if find(site{"a.mjs": "export " + loop("z")}, "a.mjs") == first {
		t.Error("a.mjs was not made again")
	}
	if len(cache.scripts.last)+len(cache.facts.last) > 0 || len(cache.scripts.now) != 1 {
		t.Error("the cache keeps what is gone")
	}
}

// esbuild's sourcemap "both": the map in the script and the one next to it are
// one.
func TestMapInAndBesideAScript(t *testing.T) {
	text := `{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}`
	inline := "//# sourceMappingURL=data:application/json;base64," + base64.StdEncoding.EncodeToString([]byte(text)) + "\n"
	out, _ := site{"a.js": loop("a") + inline, "a.js.map": text, "b.js": loop("b") + inline, "b.js.map": "{}"}.instrument(t, Options{})
	want := "//# sourceMappingURL=data:application/json;base64," + base64.StdEncoding.EncodeToString([]byte(out["a.js.map"])) + "\n"
	if out["a.js.map"] == text || !embeds(out["a.js"], want) {
		t.Errorf("the map beside a.js is %s, and its script %s", out["a.js.map"], out["a.js"])
	}
	if out["b.js.map"] != "{}" {
		t.Errorf("another map changed: %s", out["b.js.map"])
	}
}
