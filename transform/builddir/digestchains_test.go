package builddir

import (
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// spellings are how writers spell digests; those of scripts keep their length.
var spellings = []func(digest string) string{
	func(d string) string { return d },
	func(d string) string { return strings.ReplaceAll(d, "/", `\/`) },
	func(d string) string { return strings.NewReplacer("/", `\/`, "+", `\u002b`, "=", `\u003D`).Replace(d) },
	func(d string) string { return strings.NewReplacer("+", `\x2B`, "=", `\x3d`).Replace(d) },
	func(d string) string { return strings.NewReplacer("+", "&#43;", "=", "&#x3D;").Replace(d) },
	func(d string) string { return strings.NewReplacer("/", "&sol;", "+", "&#043;").Replace(d) },
}

// readDigests reads the digests of a text as the one who evaluates it does.
func readDigests(text string) (found []string) {
	for _, spelled := range spelledInAnyWay.FindAllString(text, -1) {
		found = append(found, html.UnescapeString(scriptUnescaped(spelled)))
	}
	return found
}

// Files that hold digests of each other, in a chain of any kinds and spellings: in the output, each digest is that of
// the output's file, and a script is as long as its checks make it.
func TestChainsOfDigests(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 7))
		in, held := site{}, map[string][]string{}
		add := func(name, before, after string, from []string) {
			text := before
			for range 1 + random.IntN(3) {
				if len(from) == 0 {
					break
				}
				of := from[random.IntN(len(from))]
				hash := sha384(in[of])
				if random.IntN(2) == 0 {
					hash = sha256Of(in[of])
				}
				held[name] = append(held[name], of)
				text += `,"` + spellings[random.IntN(len(spellings))](hash) + `"`
			}
			in[name] = text + after
		}
		var scripts, all []string
		for i := range 4 {
			name := fmt.Sprintf("s%d.js", i)
			add(name, fmt.Sprintf("var hashes%d=[0", i), "];"+loop(fmt.Sprint("s", i)), scripts)
			scripts = append(scripts, name)
		}
		all = append(all, scripts...)
		for i := range 2 {
			name := fmt.Sprintf("p%d.html", i)
			add(name, "<!doctype html><script>"+loop(fmt.Sprint("p", i))+"</script><script>x=[0", "]</script>", scripts)
			all = append(all, name)
		}
		for i := range 6 {
			name := fmt.Sprintf("l%d.%s", i, []string{"js", "json", "php", "webmanifest", "xhtml"}[random.IntN(5)])
			before := "[0"
			if strings.HasSuffix(name, ".js") {
				before = fmt.Sprintf("var last%d=[0", i)
			}
			from := all
			if strings.HasSuffix(name, ".js") && random.IntN(2) == 0 {
				from = all[len(scripts):] // pages, and what comes last
			}
			add(name, before, "]", heldByAny(from))
			all = append(all, name)
		}
		out, report := in.instrument(t, Options{})
		if len(report.Warnings) > 0 {
			t.Errorf("seed %d: %v", seed, report.Warnings)
		}
		for name, of := range held {
			for i, digest := range readDigests(out[name]) {
				if want := out[of[i]]; digest != sha384(want) && digest != sha256Of(want) {
					t.Errorf("seed %d: digest %d of %s is not that of %s: %s", seed, i, name, of[i], out[name])
				}
			}
			if n := len(readDigests(out[name])); n != len(of) {
				t.Errorf("seed %d: %s holds %d digests of %d", seed, name, n, len(of))
			}
		}
	}
}

// heldByAny leaves out scripts that may hold digests of pages, or of what comes last: other scripts can hold none of them.
func heldByAny(files []string) (list []string) {
	for _, name := range files {
		if !strings.HasPrefix(name, "l") || !strings.HasSuffix(name, ".js") {
			list = append(list, name)
		}
	}
	return list
}

// The list of an app on Blazor, as its SDK writes it: the worker refuses a file whose hash is another.
func TestEscapedDigestsInScripts(t *testing.T) {
	in := site{"_framework/dotnet.js": loop("dotnet")}
	in["_framework/blazor.boot.json"] = `{"resources":{"runtime":{"dotnet.js":"` + sha256Of(in["_framework/dotnet.js"]) + `"}}}`
	escaped := func(name string) string { return strings.ReplaceAll(sha256Of(in[name]), "/", `\/`) }
	in["service-worker-assets.js"] = "self.assetsManifest = {\n  \"assets\": [\n    {\n      \"hash\": \"" + escaped("_framework/dotnet.js") + "\",\n      \"url\": \"_framework\\/dotnet.js\"\n    },\n" +
		"    {\n      \"hash\": \"" + escaped("_framework/blazor.boot.json") + "\",\n      \"url\": \"_framework\\/blazor.boot.json\"\n    }\n  ],\n  \"version\": \"W1+x\"\n};\n"
	out, report := in.instrument(t, Options{})
	if len(report.Warnings) > 0 {
		t.Error(report.Warnings)
	}
	list := out["service-worker-assets.js"]
	want := []string{sha256Of(out["_framework/dotnet.js"]), sha256Of(out["_framework/blazor.boot.json"])}
	if got := readDigests(list); len(got) != 2 || got[0] != want[0] || got[1] != want[1] || len(list) != len(in["service-worker-assets.js"]) {
		t.Errorf("the list is %s, with %q, want %q", list, got, want)
	}
	if out["_framework/dotnet.js"] == in["_framework/dotnet.js"] {
		t.Error("nothing has checks")
	}
	must.Contain(t, "boot.json", out["_framework/blazor.boot.json"], want[0])
}

var (
	spelledInAnyWay = regexp.MustCompile(`sha(?:256|384)-(?:[A-Za-z0-9+/=]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[A-Z/]|&[a-z#0-9xA-F]+;)+`)
	ofScripts       = regexp.MustCompile(`\\(?:u00|x)([0-9a-fA-F]{2})|\\(.)`)
)

func scriptUnescaped(text string) string {
	return ofScripts.ReplaceAllStringFunc(text, func(escape string) string {
		if escape[1] != 'u' && escape[1] != 'x' {
			return escape[1:]
		}
		code, _ := strconv.ParseUint(escape[len(escape)-2:], 16, 8)
		return string(rune(code))
	})
}
