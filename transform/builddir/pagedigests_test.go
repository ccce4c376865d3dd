package builddir

import (
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// Ways to spell a digest in attributes, and in scripts and JSON.
var (
	inAttributes = map[string]*strings.Replacer{
		"plainly":          strings.NewReplacer(),
		"by html/template": strings.NewReplacer("+", "&#43;"),
		"by Handlebars":    strings.NewReplacer("=", "&#x3D;"),
		"by Mustache":      strings.NewReplacer("=", "&#x3D;", "/", "&#x2F;"),
		"by name":          strings.NewReplacer("+", "&plus;", "/", "&sol;", "=", "&equals;"),
		"with zeros":       strings.NewReplacer("+", "&#0043;", "/", "&#047;", "=", "&#x03d;"),
	}
	inScripts = map[string]*strings.Replacer{
		"plainly":          strings.NewReplacer(),
		"by json_encode":   strings.NewReplacer("/", `\/`),
		"by html/template": strings.NewReplacer("+", `\u002b`, "/", `\/`),
		"in hexadecimals":  strings.NewReplacer("+", `\x2B`, "/", `\x2f`, "=", `\x3D`),
	}
)

// Where a page holds digests: A is one in an attribute, S one in a script.
var pageHolders = []string{
	`<script src=chunk.js integrity="A"></script>`, `<script integrity='A' src=chunk.js></script>`, `<script src=chunk.js integrity=A defer></script>`,
	`<script src=chunk.js integrity="sha256-AAAA A A?x"></script>`, `<script type=module crossorigin src=chunk.js integrity=' A '></script>`, `<script nomodule src=chunk.js integrity="A"></script>`,
	`<link rel=modulepreload href=chunk.js integrity="A">`, `<link rel=preload as=script href=chunk.js integrity=A>`, `<div data-integrity='A'></div>`, `<template><script src=chunk.js integrity="A"></script></template>`,
	`<script type=importmap>{"imports":{"c":"./chunk.js"},"integrity":{"./chunk.js":"S"}}</script>`, `<script type=application/json>{"chunk":"S"}</script>`,
	`<script>var sri="S"</script>`, `<script nomodule>var sri='S'</script>`, `<script type=module>var sri="S"</script>`,
	`<script>var sri="S";function load(n){while(n--);return sri}</script>`, `<script type=module>function load(n){while(n--);return "S"}load("S")</script>`,
	`<script src=chunk.js integrity="A"></script><script>var sri={"chunk.js":"S"};function load(n){while(n--);return sri}</script><link rel=modulepreload href=chunk.js integrity=A>`,
	`<script>function plain(n){while(n--);return n}</script>`,
}

// How a page lists what may run: A is the digest of the file, I the hashes of its inline scripts.
var digestPolicies = []string{
	"", `<meta http-equiv=Content-Security-Policy content="script-src 'strict-dynamic' 'A' I">`, `<meta http-equiv=Content-Security-Policy content='default-src &#39;self&#39; &#39;A&#39; I'>`,
	`<meta http-equiv=Content-Security-Policy content="img-src *; script-src-elem I 'A'">`,
}

// digestsOf are the digests of a text as integrity attributes have them.
func digestsOf(text string) []string {
	var all []string
	for _, algorithm := range []string{"sha256", "sha384", "sha512"} {
		all = append(all, htmlscan.Digest([]byte(text), algorithm))
	}
	return all
}

var (
	digestInText = regexp.MustCompile(`sha(?:256-[A-Za-z0-9+/]{43}=|384-[A-Za-z0-9+/]{64}|512-[A-Za-z0-9+/]{86}==)`)
	inlineInPage = regexp.MustCompile(`(?s)<script(?: [^>]*)?>(.*?)</script>`)
	letters      = strings.NewReplacer(`\/`, "/", `\u002b`, "+", `\x2B`, "+", `\x2f`, "/", `\x3D`, "=")
)

// digestsIn are the digests in a text, however it spells them.
func digestsIn(text string) []string {
	return digestInText.FindAllString(letters.Replace(html.UnescapeString(text)), -1)
}

// oddDigests is a text all of whose digests can be spelled in many ways.
func oddDigests(text string) string {
	for i := 0; ; i++ {
		candidate := fmt.Sprintf("%s//%d\n", text, i)
		if !slices.ContainsFunc(digestsOf(candidate), func(d string) bool { return !strings.Contains(d, "+") || !strings.Contains(d, "/") }) {
			return candidate
		}
	}
}

// digestPage fills the holes of a page.
func digestPage(digest, policy, holder string, attribute, script *strings.Replacer) string {
	body := strings.NewReplacer("A", attribute.Replace(digest), "S", script.Replace(digest)).Replace
	filled := holesOf(holder, body)
	var inline []string
	for _, s := range inlineInPage.FindAllStringSubmatch(filled, -1) {
		inline = append(inline, "&#39;"+htmlscan.Digest([]byte(s[1]), "sha256")+"&#39;")
	}
	head := holesOf(policy, func(hole string) string {
		if hole == "I" {
			return strings.Join(inline, " ")
		}
		return body(hole)
	})
	return "<!doctype html>" + head + filled
}

var digestHole = regexp.MustCompile(`\b[ASI]\b`)

func holesOf(text string, fill func(hole string) string) string {
	return digestHole.ReplaceAllStringFunc(text, fill)
}

func TestSpellingsAreKept(t *testing.T) {
	was, is := digestsOf(oddDigests("was")), digestsOf(oddDigests("is"))
	for _, ways := range []map[string]*strings.Replacer{inAttributes, inScripts} {
		for name, way := range ways {
			for i := range was {
				spelled := way.Replace(was[i])
				if got := spelledIntegrity.FindString(" " + spelled + `"`); got != spelled {
					t.Errorf("%s: of %s only %s is found", name, spelled, got)
				}
				if s := spellingOf(spelled); s.digest != was[i] || strings.Contains(was[i], "=") && s.spell(is[i]) != way.Replace(is[i]) {
					t.Errorf("%s: %s is read as %s, and the new one written as %s", name, spelled, s.digest, s.spell(is[i]))
				}
			}
		}
	}
}

// Digests in an output page match the files of the output, wherever the page holds them and however it spells
// them; and its policies allow all that they allowed before.
func TestDigestsInPagesMatchTheirFiles(t *testing.T) {
	chunk := oddDigests(loop("chunk"))
	in, made := site{"chunk.js": chunk}, 0
	for _, attribute := range slices.Sorted(maps.Keys(inAttributes)) {
		for _, script := range slices.Sorted(maps.Keys(inScripts)) {
			for i, holder := range pageHolders {
				if script != "plainly" && !strings.Contains(strings.Join(digestHole.FindAllString(holder, -1), ""), "S") {
					continue
				}
				for j, policy := range digestPolicies {
					digest := digestsOf(chunk)[made%3]
					if made++; testing.Short() && made%11 > 0 {
						continue
					}
					page := digestPage(digest, policy, holder, inAttributes[attribute], inScripts[script])
					name := fmt.Sprintf("%s, %s, %d, %d.html", strings.ReplaceAll(attribute, "/", " "), strings.ReplaceAll(script, "/", " "), i, j)
					in[name], in["excluded "+name] = page, page
					in["ours "+name] = page + `<script src="/elsewhere/fieldprof/runtime.js"></script>`
				}
			}
		}
	}
	out := memorySite(t, in, Options{Exclude: []string{"excluded *"}, NoSizes: true})
	fresh := map[string]bool{}
	for _, p := range []string{"chunk.js", "fieldprof/runtime.js", "fieldprof/module.js", "fieldprof/trace.js"} {
		for _, d := range digestsOf(out[p]) {
			fresh[d] = true
		}
	}
	for p := range in { // a router may insert the scripts of any page
		for _, s := range inlineInPage.FindAllStringSubmatch(out[p], -1) {
			fresh[htmlscan.Digest([]byte(s[1]), "sha256")] = true
		}
	}
	failed := 0
	for p, was := range in {
		if p == "chunk.js" || failed > 5 {
			continue
		}
		if err := pageHasFreshDigests(was, out[p], chunk, out["chunk.js"], fresh); err != nil {
			failed++
			t.Errorf("%s: %v\n%s\nbecomes\n%s", p, err, was, out[p])
		}
	}
}

// pageHasFreshDigests compares a page before and after, when one script has changed.
func pageHasFreshDigests(was, is, oldChunk, newChunk string, fresh map[string]bool) error {
	count := func(text, chunk string) (n int) {
		for _, d := range digestsIn(text) {
			if slices.Contains(digestsOf(chunk), d) {
				n++
			}
		}
		return n
	}
	if before, after := count(was, oldChunk), count(is, newChunk); after < before {
		return fmt.Errorf("%d digests of chunk.js are %d", before, after)
	}
	for _, d := range digestsIn(is) {
		if !fresh[d] {
			return fmt.Errorf("nothing has the digest %s", d)
		}
	}
	page := htmlscan.Scan([]byte(is))
	for _, policy := range page.Policies {
		for _, s := range page.Scripts {
			if text := is[s.ContentStart:s.ContentEnd]; s.Src == nil && !s.Inert && s.Kind != htmlscan.Data && !strings.Contains(policy.Content.Value, htmlscan.Digest([]byte(text), "sha256")) {
				return fmt.Errorf("the policy refuses %s", text)
			}
		}
	}
	return nil
}

// A text of a page that is also a file: a policy that allows both still does.
func TestHashesOfATextThatIsAlsoAFile(t *testing.T) {
	text := loop("both")
	out := memorySite(t, site{"both.js": text, "index.html": `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src '` + sha256Of(text) + `'"><script src=both.js integrity=` + sha256Of(text) + `></script><script>` + text + `</script>`}, Options{})
	page := out["index.html"]
	inline := inlineInPage.FindAllStringSubmatch(page, -1)
	must.Contain(t, "the policy", page[:strings.Index(page, "<script")], "'"+sha256Of(out["both.js"])+"'", "'"+sha256Of(inline[len(inline)-1][1])+"'")
}

// A library from another host keeps the digest of what is there, although the tree has the same text as a fallback. The tree's own
// files may be on another host.
func TestDigestsOfCopiesElsewhere(t *testing.T) {
	library, tail := loop("library"), ` crossorigin></script>`
	in := site{"js/library.js": library, "index.html": `<script src="https://network.example/library/3.1/library.js" integrity="` + sha384(library) + `"` + tail +
		`<link rel=preload as=script href="//network.example/library.js" integrity=` + sha384(library) + `>` +
		`<script src="https://static.shop.example/v2/js/library.js" integrity="` + sha384(library) + `"` + tail +
		`<script src="js/library.js" integrity="` + sha384(library) + `"` + tail}
	out, _ := in.instrument(t, Options{})
	was, is := sha384(library), sha384(out["js/library.js"])
	must.Equal(t, digestsIn(out["index.html"])[1:], []string{was, was, is, is}) // the first is the runtime's
}

// The functions of an inline script are where its table says, although a digest before them is longer now.
func TestTablesOfPagesWithSpelledDigests(t *testing.T) {
	chunk := oddDigests(loop("chunk"))
	for _, spell := range inScripts {
		script := `<script>var sri="` + spell.Replace(sha384(chunk)) + `";` + loop("after") + `</script>`
		attribute := inAttributes["by name"].Replace(sha384(chunk))
		out := memorySite(t, site{"chunk.js": chunk, "index.html": `<!doctype html><script src=chunk.js integrity="` + attribute + `"></script>` + script}, Options{})
		table := must.Get(functable.Decode([]byte(out["index.html"+tableSuffix])))(t)
		f := &table.Functions[len(table.Functions)-1]
		if text := textOf(t, out["index.html"], f); !strings.HasPrefix(text, "function after(") || !strings.HasSuffix(text, "}") {
			t.Errorf("after is %q", text)
		}
	}
}

// tangle is a site of scripts with checks, without, left out and for old browsers; each may hold digests of those made
// before it, and names are in any order.
func tangle(draw *rand.Rand) (site, Options) {
	in, options := site{}, Options{}
	var names []string
	tags := ""
	for _, at := range draw.Perm(8) {
		name := fmt.Sprintf("%c.js", 'a'+at)
		text := fmt.Sprintf("var h%d={", at)
		for _, other := range names {
			if draw.IntN(3) == 0 {
				text += fmt.Sprintf("%q:%q,", other, digestsOf(in[other])[draw.IntN(3)])
			}
		}
		text += "};\n"
		attributes := ""
		switch kind := draw.IntN(5); {
		case kind == 0 || names == nil:
			text += loop(fmt.Sprintf("f%d", at))
		case kind == 1:
			text += loop(fmt.Sprintf("f%d", at))
			options.Exclude = append(options.Exclude, name)
		case kind == 2:
			attributes = " nomodule"
			text += loop(fmt.Sprintf("f%d", at))
		case kind == 3:
			text = "var _$f,{}=(_$f||0).c||(_$f=(globalThis.__fieldprof||0).flag||[0,0]);" + text
		}
		in[name] = text
		names = append(names, name)
		tags += fmt.Sprintf("<script src=%s integrity=%q%s></script>", name, digestsOf(text)[draw.IntN(3)], attributes)
	}
	in["index.html"] = "<!doctype html>" + tags
	in["manifest.json"] = `{"` + strings.Join(digestsOf(in["a.js"]), `","`) + `","` + inScripts["by json_encode"].Replace(sha384(in["h.js"])) + `"}`
	return in, options
}

// Whichever script holds whose digest, and whatever their order: none is stale.
func TestDigestsMatchInAnyOrder(t *testing.T) {
	seeds := uint64(200)
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		in, options := tangle(rand.New(rand.NewPCG(seed, 0)))
		out := memorySite(t, in, options)
		for p := range in {
			if n, want := len(digestsIn(out[p])), len(digestsIn(in[p])); n != want {
				t.Errorf("seed %d: %s has %d digests, not %d", seed, p, n, want)
			}
			for _, d := range digestsIn(out[p]) {
				if !slices.ContainsFunc(slices.Collect(maps.Keys(in)), func(other string) bool { return slices.Contains(digestsOf(out[other]), d) }) {
					t.Errorf("seed %d: nothing has the digest %s that is in %s: %s", seed, d, p, out[p])
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// A script that is left out gets no checks, and no table, for the digests that it holds.
func TestLeftOutScriptsHoldFreshDigests(t *testing.T) {
	chunk := loop("chunk")
	loader := `var sri={"chunk.js":"` + sha384(chunk) + `"};` + loop("load")
	in := site{"chunk.js": chunk, "loader.js": loader, "index.html": `<script src=loader.js integrity=` + sha384(loader) + `></script>`}
	out, report := in.instrument(t, Options{Exclude: []string{"loader.js"}})
	if want := strings.Replace(loader, sha384(chunk), sha384(out["chunk.js"]), 1); out["loader.js"] != want {
		t.Errorf("loader.js is %s", out["loader.js"])
	}
	if _, has := out["loader.js.functions.json"]; has || strings.Contains(out["fieldprof/manifest.json"], "loader.js") || report.Instrumented != 2 {
		t.Errorf("loader.js is taken for instrumented: %s", out["fieldprof/manifest.json"])
	}
	out, _ = in.instrument(t, Options{Exclude: []string{"loader.js"}, Sample: 0.5})
	if out["loader.js"] != loader {
		t.Error("the clean loader changed")
	}
	must.Contain(t, "the variant's loader", out[variant("loader.js")], sha384(out[variant("chunk.js")]))
	must.Contain(t, "the chooser", out["index.html"], sha384(out[variant("loader.js")]))
}

// Browsers hash an inline script as it is in UTF-8, so scripts that a policy allows by their hashes must be
// known in UTF-8.
func TestHashesInPagesOfOtherCharsets(t *testing.T) {
	const plain, letters, broken = "", "/* é */", "/* \xe9 */"
	for _, c := range []struct {
		charset, sources, comment string
		stays                     bool
	}{
		{"<meta charset=windows-1252>", "HASH", broken, true},
		{"<meta charset=shift_jis>", "HASH", letters, true},
		{"", "HASH", broken, true},

		{"<meta charset=utf-8>", "HASH", broken, false},
		{"<meta charset=UTF8>", "HASH", letters, false},
		{"", "HASH", letters, false},
		{"<meta charset=windows-1252>", "HASH", plain, false},
		{"<meta charset=windows-1252>", "'unsafe-inline'", broken, false},
	} {
		script := loop("f") + c.comment
		policy := strings.Replace(c.sources, "HASH", htmlscan.Hash([]byte(script), "sha256"), 1)
		in := site{"index.html": "<!doctype html>" + c.charset + `<meta http-equiv=Content-Security-Policy content="script-src ` + policy + `"><script>` + script + `</script>`}
		out, report := in.inMemory(t, Options{})
		if stays := strings.Contains(out["index.html"], "<script>"+script+"</script>"); stays != c.stays || stays != (len(report.Warnings) == 1) {
			t.Errorf("%s becomes %s: %v", in["index.html"], out["index.html"], report.Warnings)
		}
	}
	served := ServedPage{Path: "p", Text: []byte("<meta charset=windows-1252><script>" + loop("f") + broken + "</script>"), Policies: []string{"script-src 'sha256-x'"}}
	if is, warnings, err := Serve(served, ServeOptions{}); err != nil || string(is.Text) != string(served.Text) || len(warnings) != 1 {
		t.Errorf("served it is %s, %v, %v", is.Text, warnings, err)
	}
}

// A router inserts what other pages hold: a page's policy allows their scripts as they are now, and those that stay.
func TestPoliciesAllowScriptsOfOtherPages(t *testing.T) {
	first, second, both := loop("first"), loop("second"), loop("both")
	policy := `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src 'self' '` + sha256Of(first) + "' '" + sha384(second) + "' '" + sha256Of(both) + `'">`
	in := site{
		"index.html": policy + "<script>" + first + "</script>",
		"bare.html":  policy,
		"other.html": "<!doctype html><script>" + second + "</script><script>" + both + "</script>",
		"stays.html": "<!doctype html><script>" + both + "</script>",
	}
	out := memorySite(t, in, Options{Exclude: []string{"stays.html"}})
	script := regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	contents := func(p string) (all []string) {
		for _, s := range script.FindAllStringSubmatch(out[p], -1) {
			all = append(all, s[1])
		}
		return all
	}
	others := contents("other.html")
	want := []string{"'" + sha256Of(contents("index.html")[0]) + "'", "'" + sha384(others[0]) + "'", "'" + sha256Of(others[1]) + "'", "'" + sha256Of(both) + "'"}
	for _, p := range []string{"index.html", "bare.html"} {
		must.Contain(t, p, out[p], want...)
		if strings.Contains(out[p], sha256Of(first)) || strings.Contains(out[p], sha384(second)) {
			t.Errorf("%s allows what is gone: %s", p, out[p])
		}
	}
}
