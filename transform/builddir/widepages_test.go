package builddir

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/fieldprof/fieldprof/internal/must"
)

// inUTF16s are the ways to write a text in UTF-16, with a byte order mark.
var inUTF16s = map[string]func(unit uint16) string{
	"little": func(unit uint16) string { return string([]byte{byte(unit), byte(unit >> 8)}) },
	"big":    func(unit uint16) string { return string([]byte{byte(unit >> 8), byte(unit)}) },
}

// A page in UTF-16 has no checks, and loads scripts that have some: it has their digests, and every other letter as it was.
func TestDigestsInWidePages(t *testing.T) {
	in := site{"app.js": loop("app"), "library.js": loop("library")}
	const page = "<!doctype html><title>Ł😀</title><script src=app.js integrity=\"APP\"></script><p>é</p><script src=https://network.example/3/a.js integrity=LIBRARY></script>"
	for name, write := range inUTF16s {
		wide := func(app, library string) string {
			var text strings.Builder
			for _, unit := range utf16.Encode([]rune("\ufeff" + strings.NewReplacer("APP", app, "LIBRARY", library).Replace(page))) {
				text.WriteString(write(unit))
			}
			return text.String()
		}
		in := in.with("index.html", wide(sha384(in["app.js"]), sha256Of(in["library.js"])))
		in["list.json"] = `["` + sha384(in["index.html"]) + `"]`
		out, report := in.instrument(t, Options{})
		if want := wide(sha384(out["app.js"]), sha256Of(in["library.js"])); out["index.html"] != want {
			t.Errorf("%s: the page is %q\nwant %q", name, out["index.html"], want)
		}
		must.Contain(t, "the list", out["list.json"], sha384(out["index.html"]))
		if len(report.Warnings) != 1 || report.Instrumented != 2 {
			t.Errorf("%s: %d files are instrumented, with %v", name, report.Instrumented, report.Warnings)
		}
		if sampled, _ := in.instrument(t, Options{Sample: 0.5}); sampled["index.html"] != in["index.html"] {
			t.Errorf("%s: the page has digests of the variant", name)
		}
	}
	odd := "\xff\xfe<\x00p\x00>" // ends in the middle of a letter
	if out := memorySite(t, in.with("odd.html", odd), Options{}); out["odd.html"] != odd {
		t.Errorf("the odd page is %q", out["odd.html"])
	}
}
