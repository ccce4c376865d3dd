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

// chain is a site of files that hold digests of each other, in chains of any kinds and spellings, and for each file
// those whose digests it holds. Scripts and pages hold none of what is made after them.
func chain(random *rand.Rand) (in site, held map[string][]string) {
	in, held = site{}, map[string][]string{}
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
	manifest := func() string { return []string{"json", "php", "webmanifest", "xhtml", "toml"}[random.IntN(5)] }
	var early, all []string
	for i := range 8 {
		name := fmt.Sprintf("s%d.js", i)
		if random.IntN(3) == 0 && i > 0 {
			name = fmt.Sprintf("s%d.%s", i, manifest())
			add(name, "[0", "]", early)
		} else {
			add(name, fmt.Sprintf("var hashes%d=[0", i), "];"+loop(fmt.Sprint("s", i)), early)
		}
		early = append(early, name)
	}
	all = append(all, early...)
	for i := range 2 {
		name := fmt.Sprintf("p%d.html", i)
		add(name, "<!doctype html><script src=s0.js></script><script>"+loop(fmt.Sprint("p", i))+"</script><script>x=[0", "]</script>", early)
		all = append(all, name)
	}
	for i := range 6 {
		if name := fmt.Sprintf("l%d.js", i); random.IntN(4) == 0 {
			add(name, fmt.Sprintf("var last%d=[0", i), "]", heldByAny(all[len(early):]))
			all = append(all, name)
			continue
		}
		name := fmt.Sprintf("l%d.%s", i, manifest())
		add(name, "[0", "]", heldByAny(all))
		all = append(all, name)
	}
	return in, held
}

// In the output, each digest is that of the output's file, and a script is as long as its checks make it. In a sampled
// output that holds for the clean site and for the variant. The first sites are built on disk, too.
func TestChainsOfDigests(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		in, held := chain(rand.New(rand.NewPCG(seed, 7)))
		instrument := in.inMemory
		if seed < 6 {
			instrument = in.instrument
		}
		for _, sample := range []float64{0, 0.5} {
			out, report := instrument(t, Options{Sample: sample, NoSizes: true})
			if len(report.Warnings) > 0 {
				t.Errorf("seed %d: %v", seed, report.Warnings)
			}
			follow := func(place func(name string) string) {
				for name, of := range held {
					found := readDigests(out[place(name)])
					if len(found) != len(of) {
						t.Errorf("seed %d, sample %v: %s holds %d digests of %d", seed, sample, place(name), len(found), len(of))
						continue
					}
					for i, digest := range found {
						if want := out[place(of[i])]; digest != sha384(want) && digest != sha256Of(want) {
							t.Errorf("seed %d, sample %v: digest %d of %s is not that of %s: %s", seed, sample, i, place(name), of[i], out[place(name)])
						}
					}
				}
			}
			follow(func(name string) string { return name })
			if sample > 0 {
				for name := range held {
					if strings.HasSuffix(name, ".html") { // pages have no variant, and hold what the clean site has
						delete(held, name)
					}
				}
				follow(func(name string) string {
					if strings.HasSuffix(name, ".html") {
						return name
					}
					return variant(name)
				})
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

// A page is made before what holds digests of pages. If it has a digest of that in turn, a warning says where.
func TestDigestsThatPagesCannotFollow(t *testing.T) {
	in := site{"app.js": loop("app"), "first.html": `<!doctype html><script src=app.js></script>`}
	in["list.json"] = `["` + sha384(in["first.html"]) + `"]`
	in["second.html"] = "<!doctype html>\n<link rel=preload as=fetch href=list.json integrity=\"" + sha256Of(in["list.json"]) + `"><script src=app.js></script>`
	for _, sample := range []float64{0, 0.5} {
		out, report := in.instrument(t, Options{Sample: sample})
		must.Contain(t, "the list", out["list.json"], sha384(out["first.html"]))
		if len(report.Warnings) != 1 || !strings.HasPrefix(report.Warnings[0].String(), "second.html:2:54: this hash of list.json is out of date") {
			t.Errorf("sample %v: the warnings are %v", sample, report.Warnings)
		}
	}
}

// A page has the digests of manifests as they are with the digests of scripts, and of other manifests, in them.
func TestDigestsOfManifestsInPages(t *testing.T) {
	in := site{"app.js": loop("app"), "app.js.map": `{"version":3,"sources":["app.ts"],"names":[],"mappings":"AAAA"}`}
	in["app.js"] += "//# sourceMappingURL=app.js.map\n"
	in["inner.json"] = `["` + sha384(in["app.js"]) + `","` + sha256Of(in["app.js.map"]) + `"]`
	in["outer.json"] = `["` + sha256Of(in["inner.json"]) + `"]`
	in["index.html"] = `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src 'self' INLINE"><script>fetch("outer.json",{integrity:"` + sha384(in["outer.json"]) + `"})</script><script src=app.js></script>`
	script := in["index.html"][strings.Index(in["index.html"], "<script>")+len("<script>") : strings.Index(in["index.html"], "</script>")]
	in["index.html"] = strings.Replace(in["index.html"], "INLINE", "'"+sha256Of(script)+"'", 1)
	in["last.json"] = `["` + sha384(in["index.html"]) + `","` + sha384(in["outer.json"]) + `"]`
	out, report := in.instrument(t, Options{})
	if len(report.Warnings) > 0 {
		t.Error(report.Warnings)
	}
	must.Contain(t, "inner.json", out["inner.json"], sha384(out["app.js"]), sha256Of(out["app.js.map"]))
	must.Contain(t, "outer.json", out["outer.json"], sha256Of(out["inner.json"]))
	must.Contain(t, "last.json", out["last.json"], sha384(out["index.html"]), sha384(out["outer.json"]))
	renewed := strings.Replace(script, sha384(in["outer.json"]), sha384(out["outer.json"]), 1)
	must.Contain(t, "index.html", out["index.html"], renewed, "'"+sha256Of(renewed)+"'")
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
